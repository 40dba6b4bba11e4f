import { SHARE_FROM } from '@switchyard/routing';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { PAID_STATUSES, UNPAID_STATUSES } from '#/copy/payment-status.ts';
import { beginOfDay, clockIn, nextStart, startOf } from '#/format/calendar.ts';
import { csvLine } from '#/format/csv.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import type { Days, Group, Measure, PaymentDate } from './filters.ts';

/** Sums of one group; money in whole main units, fees and net as exact decimals. */
export interface Sums {
  readonly payments: number;
  readonly paid: number;
  /** Not paid in the end: failed or expired. */
  readonly failed: number;
  /** Those of them whose session expired unpaid. */
  readonly expired: number;
  readonly pending: number;
  readonly late: number;
  readonly amount: number;
  readonly paidAmount: number;
  readonly refunded: number;
  readonly fees: string;
  readonly net: string;
  readonly conversion: number | null;
}

/** One group of a volume report; only the dimensions asked for are set. */
export interface ReportRow {
  readonly periodStart: string | null;
  readonly gateway: string | null;
  readonly method: string | null;
  readonly ruleId: string | null;
  readonly account: { readonly id: string; readonly gateway: string; readonly label: string | null } | null;
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly sums: Sums;
  readonly previous: Sums | null;
}

/** A volume report. `from` is inclusive, `to` exclusive. */
export interface Report {
  readonly currency: string;
  /** The date that the period and its days are of. */
  readonly date: Uppercase<PaymentDate>;
  readonly zone: string;
  readonly asOf: string | null;
  readonly period: { readonly from: string; readonly to: string };
  readonly total: Sums;
  readonly previousTotal: Sums | null;
  readonly rows: readonly ReportRow[];
  /** Months of the period that are closed, of a report by when payments were paid or settled. */
  readonly closedMonths: readonly {
    readonly month: string;
    readonly merchant: { readonly id: string; readonly name: string } | null;
  }[];
}

const STATUSES = {
  all: ['PENDING', ...PAID_STATUSES, ...UNPAID_STATUSES].join(','),
  paid: PAID_STATUSES.join(','),
  failed: 'FAILED',
  expired: 'EXPIRED',
  ended: [...PAID_STATUSES, ...UNPAID_STATUSES].join(','),
  pending: 'PENDING',
} as const;

/** A column of the table: its kind, and the payments it counts. */
export interface Column {
  readonly title: string;
  readonly kind: 'count' | 'money' | 'share';
  /** The value in an export: a plain number; empty for none. */
  readonly value: (sums: Sums) => string;
  readonly behind: keyof typeof STATUSES;
  /** The payments that a share of payments is of: too few make no percentage. */
  readonly whole?: (sums: Sums) => number;
}

const column = (title: string, kind: Column['kind'], behind: Column['behind'], value: Column['value']): Column => ({
  title,
  kind,
  behind,
  value,
});
const rate = (part: number, whole: number): string => (whole === 0 ? '' : (part / whole).toFixed(6));

const payments = column('Payments', 'count', 'all', (sums) => String(sums.payments));
const paid = column('Paid', 'count', 'paid', (sums) => String(sums.paid));
const paidAmount = column('Paid amount', 'money', 'paid', (sums) => String(sums.paidAmount));
const refunded = column('Refunded', 'money', 'paid', (sums) => String(sums.refunded));
const fees = column('Fees', 'money', 'paid', (sums) => sums.fees);

/** The columns of each measure; the last is what the chart draws. */
export const COLUMNS: Readonly<Record<Measure, readonly Column[]>> = {
  volume: [payments, column('Requested', 'money', 'all', (sums) => String(sums.amount)), paid, paidAmount],
  conversion: [
    payments,
    paid,
    column('Failed', 'count', 'failed', (sums) => String(sums.failed - sums.expired)),
    column('Expired', 'count', 'expired', (sums) => String(sums.expired)),
    column('Open', 'count', 'pending', (sums) => String(sums.pending)),
    {
      ...column('Success rate', 'share', 'ended', ({ conversion }) => (conversion === null ? '' : conversion.toFixed(6))),
      whole: (sums) => sums.paid + sums.failed,
    },
  ],
  fees: [paid, paidAmount, column('Fee rate', 'share', 'paid', (sums) => rate(Number(sums.fees), sums.paidAmount)), fees],
  refunds: [paid, paidAmount, column('Refund rate', 'share', 'paid', (sums) => rate(sums.refunded, sums.paidAmount)), refunded],
  net: [paidAmount, refunded, fees, column('Net', 'money', 'paid', (sums) => sums.net)],
};

/** The value that the chart draws for a group; null for none, or for too few payments for a percentage. */
export function drawn(measure: Measure, sums: Sums | null): number | null {
  const column = COLUMNS[measure].at(-1);
  if (sums === null || column === undefined || isTooFew(column, sums)) return null;
  const value = column.value(sums);
  return value === '' ? null : Number(value);
}

/** True if a share is of fewer payments than make a percentage. */
export function isTooFew({ whole }: Column, sums: Sums): boolean {
  return whole !== undefined && whole(sums) < SHARE_FROM;
}

const short = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' });

/** The label of a group. */
export function nameOf({ periodStart, gateway, method, ruleId, account, merchant }: ReportRow, group: Group): string {
  switch (group) {
    case 'day':
      return periodStart === null ? '' : short.format(new Date(`${periodStart}T00:00:00Z`));
    case 'week':
      return periodStart === null ? '' : `Week of ${short.format(new Date(`${periodStart}T00:00:00Z`))}`;
    case 'month':
      return periodStart === null ? '' : month.format(new Date(`${periodStart}T00:00:00Z`));
    case 'gateway':
      return gatewayTitle(gateway ?? '');
    case 'account':
      return account === null ? 'None' : (account.label ?? account.id);
    case 'method':
      return method ? methodTitle(method) : 'None named';
    case 'merchant':
      return merchant?.name ?? 'Unknown';
    case 'rule':
      return ruleId || 'No rule';
    default:
      return group satisfies never;
  }
}

/** The title of the column of groups; days, weeks and months are of one of the dates of payments. */
export function groupTitle(group: Group, label: string, date: PaymentDate): string {
  return isTime(group) ? `${label} ${date}` : label;
}

/** The key of a row, unique in its report: the one dimension that is set. */
export function rowKey({ periodStart, gateway, method, ruleId, account, merchant }: ReportRow): string {
  return periodStart ?? gateway ?? account?.id ?? method ?? merchant?.id ?? ruleId ?? '';
}

const NOTHING: Sums = {
  payments: 0,
  paid: 0,
  failed: 0,
  expired: 0,
  pending: 0,
  late: 0,
  amount: 0,
  paidAmount: 0,
  refunded: 0,
  fees: '0',
  net: '0',
  conversion: null,
};

const isTime = (group: Group) => group === 'day' || group === 'week' || group === 'month';

/** The rows, with one for every day, week or month of the report's period in which nothing was. What is yet to come has none. */
export function filledRows({ rows, period, zone }: Report, group: Group, now: number): readonly ReportRow[] {
  if (!isTime(group)) return rows;
  const dayOf = (at: number) => clockIn(zone, at).slice(0, 10);
  const today: string = dayOf(now);
  const from: string = dayOf(Date.parse(period.from));
  const to: string = dayOf(Date.parse(period.to) - 1);
  const known = new Map(rows.map((row) => [row.periodStart, row]));
  const last = to < today ? to : today;
  const filled: ReportRow[] = [];
  const step = group === 'week' || group === 'month' ? group : 'day';
  for (let day = startOf(from, step); day <= last; day = nextStart(day, step)) {
    const none = { gateway: null, method: null, ruleId: null, account: null, merchant: null, sums: NOTHING, previous: null };
    filled.push(known.get(day) ?? { ...none, periodStart: day });
  }
  return filled.length < rows.length ? rows : filled;
}

/** True if the last of these rows is of the day, week or month that `now` is in: its sums still grow. */
export function endsUnfinished({ zone }: Pick<Report, 'zone'>, rows: readonly ReportRow[], group: Group, now: number): boolean {
  if (!isTime(group)) return false;
  const today: string = clockIn(zone, now).slice(0, 10);
  const step = group === 'week' || group === 'month' ? group : 'day';
  return rows.at(-1)?.periodStart === startOf(today, step);
}

/** True if the period before lacks days, weeks or months that this one has, so that their totals cannot be compared. */
export function hasGapBefore(rows: readonly ReportRow[], group: Group): boolean {
  return isTime(group) && rows.some(({ sums, previous }) => sums.payments > 0 && (previous?.payments ?? 0) === 0);
}

/** The URL of the list of the payments in a sum; null where no list has exactly them. */
export function listBehind(
  { behind }: Column,
  row: ReportRow | null,
  { scope, group, report }: { readonly scope: Scope; readonly group: Group; readonly report: Report },
): string | null {
  // The list shows the current state, by creation.
  if (report.asOf !== null || report.date !== 'CREATED') return null;
  const { currency } = report;
  const query: Record<string, string> = { status: STATUSES[behind], currency, from: report.period.from, to: report.period.to };
  if (row === null) return hrefIn(scope, '/payments', query);
  const { zone, period } = report;
  switch (group) {
    case 'day':
    case 'week':
    case 'month': {
      const first = row.periodStart ?? '';
      const begin = beginOfDay(zone, first).toISOString();
      const end = beginOfDay(zone, nextStart(first, group)).toISOString();
      if (begin > period.from) query.from = begin;
      if (end < period.to) query.to = end;
      return hrefIn(scope, '/payments', query);
    }
    case 'gateway':
      return hrefIn(scope, '/payments', { ...query, at: row.gateway || 'NONE' });
    case 'account':
      return row.account === null
        ? hrefIn(scope, '/payments', { ...query, at: 'NONE' })
        : hrefIn(scope, '/payments', { ...query, account: row.account.id });
    case 'method':
      return hrefIn(scope, '/payments', { ...query, method: row.method || 'NONE' });
    case 'merchant':
      return row.merchant === null ? null : hrefIn({ ...scope, merchantId: row.merchant.id }, '/payments', query);
    case 'rule':
      return hrefIn(scope, '/payments', { ...query, rule: row.ruleId || 'NONE' });
    default:
      return group satisfies never;
  }
}

/** The table as comma-separated values: titles, rows, and the total last; the previous period is in the last column. */
export function toCsv(
  { currency, date, total, previousTotal }: Report,
  rows: readonly ReportRow[],
  { group, measure }: { readonly group: Group; readonly measure: Measure },
): string {
  const columns = COLUMNS[measure];
  const drawn = columns.at(-1);
  const titleOf = ({ title, kind }: Column) => (kind === 'money' ? `${title}, ${currency}` : title);
  const titles = [
    isTime(group) ? `${group} ${date.toLowerCase()}` : group,
    ...columns.map(titleOf),
    drawn === undefined ? '' : `${titleOf(drawn)}, before`,
  ];
  const cells = (sums: Sums, previous: Sums | null) => [
    ...columns.map(({ value }) => value(sums)),
    previous === null ? '' : (drawn?.value(previous) ?? ''),
  ];
  const lines = rows.map((row) => [row.periodStart ?? nameOf(row, group), ...cells(row.sums, row.previous)]);
  const last = ['Total', ...cells(total, previousTotal)];
  return [csvLine(titles), ...[...lines, last].map((line) => csvLine(line, (at) => at > 0))].join('');
}

/** The file name of a report: it names the date that its days are of. */
export const fileName = (measure: Measure, group: Group, date: PaymentDate, { from, to }: Days): string =>
  `${measure}-by-${group}-${date}-${from}-${to}.csv`;
