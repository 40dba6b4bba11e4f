import { type ClosedMonth, listClosedMonths } from '@switchyard/accounting/month';
import { NIL_ID } from '@switchyard/db';
import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import {
  type PaymentDate as DateOfPayment,
  type VolumeGroup as Group,
  readVolume,
  type VolumeQuery,
  type VolumeRow,
} from '@switchyard/reporting/figures';
import { z } from 'zod';
import { builder } from '../builder.ts';
import { currencyCode, InvalidInput, names, requestedMerchants, ruleIds, toId, uuids } from '../inputs.ts';
import { LIMITS } from '../limits.ts';
import { Account, type AccountName, accountOf, Merchant } from '../types/account.ts';
import { Mode, PaymentDate, PaymentStatus, VolumeGroup } from '../types/enums.ts';
import { dayIn, isTimeZone, type Period, periodProblems, previousPeriod, stepsSince } from './periods.ts';

/** A row with the totals of the same group in the previous period. */
interface ComparedRow {
  readonly keys: VolumeRow['keys'];
  /** Null where payments are not grouped by account, and for those without one. */
  readonly account: AccountName | null;
  readonly sums: VolumeRow;
  readonly previous: VolumeRow | null;
}

interface Report {
  readonly merchantIds: readonly string[];
  readonly mode: VolumeQuery['mode'];
  readonly currency: string;
  readonly date: DateOfPayment;
  readonly period: Period;
  readonly previousPeriod: Period | null;
  readonly zone: string;
  readonly asOf: Date | null;
  readonly rows: readonly ComparedRow[];
  readonly total: VolumeRow;
  readonly previousTotal: VolumeRow | null;
}

const Sums = builder.objectRef<VolumeRow>('VolumeSums').implement({
  description: 'Counts and amounts of payments. Amounts in whole main units, fees as exact decimals.',
  fields: (t) => ({
    payments: t.exposeInt('payments', { description: 'Payments that have left INITIATED.' }),
    paid: t.exposeInt('paid', { description: 'Payments that succeeded, including those refunded since.' }),
    failed: t.exposeInt('failed', { description: 'Not paid in the end: failed or expired.' }),
    expired: t.exposeInt('expired', { description: 'Those of the failed ones whose session expired unpaid: no gateway failed.' }),
    pending: t.exposeInt('pending', { description: 'Still open.' }),
    late: t.exposeInt('late', { description: 'Paid after they had been marked FAILED.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'The amount of the orders.' }),
    paidAmount: t.expose('paidAmount', { type: 'Amount', description: 'The amount paid.' }),
    refunded: t.expose('refunded', { type: 'Amount', description: 'The amount refunded.' }),
    reversed: t.field({
      type: 'Decimal',
      description: 'What gateways took back of paid payments, such as by chargebacks; no part of the refunds.',
      resolve: ({ reversed }) => reversed,
    }),
    fees: t.field({
      type: 'Decimal',
      description: "The gateways' fees, where they report them.",
      resolve: ({ fees }) => addDecimals(fees),
    }),
    net: t.field({
      type: 'Decimal',
      description: 'The amount paid, less refunds, reversals and fees.',
      resolve: ({ paidAmount, refunded, reversed, fees }) =>
        subtractDecimals(String(paidAmount - refunded), addDecimals(reversed, fees)),
    }),
    conversion: t.float({
      nullable: true,
      description: 'Share of final payments that were paid, 0 to 1; null while none is final.',
      resolve: ({ paid, failed }) => (paid + failed === 0 ? null : paid / (paid + failed)),
    }),
  }),
});

const Row = builder.objectRef<ComparedRow>('VolumeRow').implement({
  description: 'One group. Only the requested dimensions are set.',
  fields: (t) => ({
    periodStart: t.string({
      nullable: true,
      description:
        'First day of its day, week or month in the requested time zone, of the date that the report is of: YYYY-MM-DD.',
      resolve: ({ keys }) => keys.day ?? keys.week ?? keys.month ?? null,
    }),
    gateway: t.string({ nullable: true, description: 'By name; empty for none.', resolve: ({ keys }) => keys.gateway ?? null }),
    account: t.expose('account', { type: Account, nullable: true, description: 'The account; null for none.' }),
    method: t.string({ nullable: true, description: 'Empty for none.', resolve: ({ keys }) => keys.method ?? null }),
    status: t.string({ nullable: true, description: 'Status of the payments.', resolve: ({ keys }) => keys.status ?? null }),
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant.',
      resolve: ({ keys }, _args, { switchyard }) =>
        keys.merchant === undefined ? null : (switchyard.resources.configuration.merchant(keys.merchant)?.merchant ?? null),
    }),
    ruleId: t.string({ nullable: true, description: 'Empty for none.', resolve: ({ keys }) => keys.rule ?? null }),
    sums: t.expose('sums', { type: Sums, description: 'Sums of the group.' }),
    previous: t.expose('previous', { type: Sums, nullable: true, description: 'Sums of the group in the previous period.' }),
  }),
});

const PeriodType = builder.objectRef<Period>('Period').implement({
  description: 'A period of time.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'Exclusive.' }),
  }),
});

const ClosedMonthType = builder.objectRef<ClosedMonth>('ClosedMonth').implement({
  description: 'A month that is closed: `monthClose` has its frozen figures and what has changed since.',
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    month: t.exposeString('month', { description: 'YYYY-MM.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', description: 'When it was closed.' }),
  }),
});

const ReportType = builder.objectRef<Report>('VolumeReport').implement({
  description: 'Volume of a period, by groups. The rows add up to the total exactly.',
  fields: (t) => ({
    currency: t.exposeString('currency', {
      description: 'ISO 4217 code of all amounts. Payments in other currencies are not in the report.',
    }),
    date: t.expose('date', { type: PaymentDate, description: 'The date of payments that the period and its days are of.' }),
    period: t.expose('period', { type: PeriodType, description: 'The requested period.' }),
    previousPeriod: t.expose('previousPeriod', { type: PeriodType, nullable: true, description: 'The previous period.' }),
    zone: t.exposeString('zone', { description: 'IANA time zone of days, weeks and months.' }),
    asOf: t.expose('asOf', { type: 'DateTime', nullable: true, description: 'The time at which payments are reported.' }),
    closedMonths: t.field({
      type: [ClosedMonthType],
      description:
        'By when payments were paid or settled: months of the period that are closed. The report has what is known now, also of them; their frozen figures do not change. Empty of a report by creation.',
      complexity: { field: 10, multiplier: 1 },
      resolve: ({ date, period: { from, to }, zone, merchantIds, mode }, _args, { switchyard }) => {
        if (date === 'created') return [];
        const days = { from: dayIn(zone, from), to: dayIn(zone, new Date(to.getTime() - 1)) };
        return listClosedMonths(switchyard.resources.reports, { merchantIds, mode, ...days });
      },
    }),
    rows: t.field({
      type: [Row],
      description: 'The groups.',
      complexity: { field: 1, multiplier: 20 },
      resolve: ({ rows }) => [...rows],
    }),
    total: t.expose('total', { type: Sums, description: 'Sums of all groups.' }),
    previousTotal: t.expose('previousTotal', {
      type: Sums,
      nullable: true,
      description: 'Sums of all groups in the previous period.',
    }),
  }),
});

const VolumeInput = builder.inputType('VolumeFilter', {
  description: 'Filter of payments by a date of theirs. An omitted field matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    date: t.field({ type: PaymentDate, description: 'What `from` and `to` are of; when they were created when omitted.' }),
    from: t.field({ type: 'DateTime', required: true, description: 'Inclusive.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Exclusive.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    gateways: t.stringList({ description: 'Names of gateways.', validate: names }),
    accountIds: t.idList({ description: 'Accounts.', validate: uuids }),
    methods: t.stringList({ description: 'Methods.', validate: names }),
    statuses: t.field({ type: [PaymentStatus], description: 'States.' }),
    ruleIds: t.idList({ description: 'Rules that matched.', validate: ruleIds }),
  }),
});

const argsSchema = z
  .object({
    currency: currencyCode,
    zone: z.string().refine(isTimeZone, 'zone must be an IANA time zone, such as Africa/Lagos'),
    groupBy: z.array(z.string()).max(LIMITS.groups, `groupBy must name at most ${LIMITS.groups}`),
    filter: z.object({ from: z.date(), to: z.date() }).loose(),
  })
  .loose();

builder.queryField('volume', (t) =>
  t.field({
    type: ReportType,
    description: 'Counts, amounts, fees and conversion of a period by groups, beside the previous period.',
    authScopes: { permission: 'report:read' },
    errors: {
      types: [InvalidInput],
      directResult: true,
      union: { name: 'VolumeResult', description: 'A report, or the problems of the input.' },
    },
    complexity: 50,
    args: {
      filter: t.arg({ type: VolumeInput, required: true, description: 'Filter.' }),
      groupBy: t.arg({
        type: [VolumeGroup],
        required: true,
        defaultValue: [],
        description: 'Dimensions to group by; at most four.',
      }),
      currency: t.arg.string({
        required: true,
        defaultValue: 'NGN',
        description: 'ISO 4217 code: only payments in this currency are counted.',
      }),
      zone: t.arg.string({
        required: true,
        defaultValue: 'Africa/Lagos',
        description: 'IANA time zone of days, weeks and months.',
      }),
      compare: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether to read the previous period as well.',
      }),
      asOf: t.arg({
        type: 'DateTime',
        description: 'Report payments as of this time, by when they were created: a report of a past time does not change.',
      }),
    },
    resolve: async (
      _root,
      { filter, groupBy, currency, zone, compare, asOf },
      { switchyard, reports, viewer, signal },
    ): Promise<Report> => {
      const checked = argsSchema.safeParse({ filter, groupBy, currency, zone });
      const problems = [...(checked.error?.issues ?? []).map(({ message }) => message), ...periodProblems(filter)];
      if (asOf && (filter.date ?? 'created') !== 'created') problems.push('asOf is for reports by when payments were created');
      if (problems.length > 0) throw new InvalidInput(problems);
      const query: ReportQuery = {
        ...toVolumeQuery(filter, requestedMerchants(viewer, 'report:read', filter)),
        currency,
        zone,
        asOf: asOf ?? null,
        groupBy: withGatewayOfAccount(groupBy),
      };
      const nameAccount = (accountId: string, gateway: string) => accountOf(switchyard, accountId, gateway);
      const before = compare ? previousPeriod(filter, zone) : null;
      return reports.read(
        async (client) => {
          const rows = await readVolume(client, query);
          const earlier = before === null ? null : await readVolume(client, { ...query, ...before });
          return toReport({ query, groupBy, nameAccount }, rows, before, earlier);
        },
        { signal },
      );
    },
  }),
);

builder.queryField('currencies', (t) =>
  t.field({
    type: ['String'],
    description: 'ISO 4217 codes of the currencies that payments are in, the one with the most payments first.',
    authScopes: { permission: 'report:read' },
    errors: {
      types: [InvalidInput],
      union: { name: 'CurrenciesResult', description: 'Currencies, or the problems of the input.' },
      result: { name: 'CurrencyList', description: 'Currencies in use.' },
      dataField: { description: 'The currencies.' },
    },
    complexity: 50,
    args: { filter: t.arg({ type: VolumeInput, required: true, description: 'Filter.' }) },
    resolve: async (_root, { filter }, { reports, viewer, signal }): Promise<string[]> => {
      const problems = periodProblems(filter);
      if (problems.length > 0) throw new InvalidInput(problems);
      const query: VolumeQuery = {
        ...toVolumeQuery(filter, requestedMerchants(viewer, 'report:read', filter)),
        currency: null,
        zone: 'Africa/Lagos',
        asOf: null,
        groupBy: ['currency'],
      };
      const rows = await reports.read((client) => readVolume(client, query), { signal });
      return rows.toSorted((one, other) => other.payments - one.payments).map(({ keys }) => keys.currency ?? '');
    },
  }),
);

function toVolumeQuery(
  filter: typeof VolumeInput.$inferInput,
  merchantIds: readonly string[],
): Omit<VolumeQuery, 'currency' | 'zone' | 'asOf' | 'groupBy'> {
  const ids = (given: readonly (string | number)[] | null | undefined) => (given ?? []).map(toId);
  return {
    merchantIds,
    mode: filter.mode,
    date: filter.date ?? 'created',
    from: filter.from,
    to: filter.to,
    gateways: filter.gateways ?? [],
    methods: filter.methods ?? [],
    statuses: filter.statuses ?? [],
    accountIds: ids(filter.accountIds),
    ruleIds: ids(filter.ruleIds),
  };
}

/** An account belongs to one gateway and is named with it: grouping by both gives the same rows. */
function withGatewayOfAccount(groupBy: readonly Group[]): Group[] {
  return [...new Set(groupBy.flatMap((group): Group[] => (group === 'account' ? ['account', 'gateway'] : [group])))];
}

type ReportQuery = VolumeQuery & { readonly currency: string };

interface Question {
  readonly query: ReportQuery;
  /** As requested; the query may add the gateways of the accounts. */
  readonly groupBy: readonly Group[];
  readonly nameAccount: (accountId: string, gateway: string) => AccountName;
}

function toReport(
  { query, groupBy, nameAccount }: Question,
  rows: readonly VolumeRow[],
  before: Period | null,
  earlier: readonly VolumeRow[] | null,
): Report {
  const { currency, date = 'created', from, to, zone, asOf } = query;
  // Days of two periods never coincide: compare the first with the first.
  const key = (row: VolumeRow, firstDay: string) =>
    JSON.stringify(
      groupBy.map((group) => (isTime(group) ? stepsSince(firstDay, row.keys[group] ?? '', group) : row.keys[group])),
    );
  const now = dayIn(zone, from);
  const then = dayIn(zone, before?.from ?? from);
  const byKey = new Map((earlier ?? []).map((row) => [key(row, then), row]));
  return {
    merchantIds: query.merchantIds,
    mode: query.mode,
    currency,
    date,
    period: { from, to },
    previousPeriod: before,
    zone,
    asOf,
    total: addUp(rows),
    rows: rows.map((row) => ({
      keys: Object.fromEntries(groupBy.map((group) => [group, row.keys[group]])),
      account: accountIn(row, nameAccount),
      sums: row,
      previous: byKey.get(key(row, now)) ?? null,
    })),
    previousTotal: earlier === null ? null : addUp(earlier),
  };
}

function accountIn({ keys }: VolumeRow, nameAccount: Question['nameAccount']): AccountName | null {
  const { account, gateway } = keys;
  return account === undefined || account === NIL_ID ? null : nameAccount(account, gateway ?? '');
}

function isTime(group: Group): group is 'day' | 'week' | 'month' {
  return group === 'day' || group === 'week' || group === 'month';
}

function addUp(rows: readonly VolumeRow[]): VolumeRow {
  const none: VolumeRow = {
    keys: {},
    payments: 0,
    paid: 0,
    failed: 0,
    expired: 0,
    pending: 0,
    late: 0,
    amount: 0n,
    paidAmount: 0n,
    refunded: 0n,
    reversed: '0',
    fees: '0',
  };
  return rows.reduce(
    (sum, row) => ({
      keys: {},
      payments: sum.payments + row.payments,
      paid: sum.paid + row.paid,
      failed: sum.failed + row.failed,
      expired: sum.expired + row.expired,
      pending: sum.pending + row.pending,
      late: sum.late + row.late,
      amount: sum.amount + row.amount,
      paidAmount: sum.paidAmount + row.paidAmount,
      refunded: sum.refunded + row.refunded,
      reversed: addDecimals(sum.reversed, row.reversed),
      fees: addDecimals(sum.fees, row.fees),
    }),
    none,
  );
}
