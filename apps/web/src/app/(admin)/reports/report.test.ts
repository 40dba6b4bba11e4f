import { expect, test } from 'vitest';
import { changeOf, compare } from './_components/figures.ts';
import { GROUPS } from './filters.ts';
import {
  COLUMNS,
  endsUnfinished,
  fileName,
  filledRows,
  groupTitle,
  hasGapBefore,
  listBehind,
  type Report,
  type ReportRow,
  rowKey,
  toCsv,
} from './report.ts';

const sums = {
  payments: 3,
  paid: 2,
  failed: 1,
  expired: 1,
  pending: 0,
  late: 0,
  amount: 9_000,
  paidAmount: 6_000,
  refunded: 0,
  fees: '90.5',
  net: '5909.5',
  conversion: 0.666667,
};
const empty = { periodStart: null, gateway: null, method: null, ruleId: null, account: null, merchant: null };
const rowOf = (change: Partial<ReportRow>): ReportRow => ({
  ...empty,
  sums,
  previous: { ...sums, paidAmount: 5_000 },
  ...change,
});
const report: Report = {
  currency: 'NGN',
  date: 'CREATED',
  zone: 'Africa/Lagos',
  asOf: null,
  total: sums,
  previousTotal: null,
  rows: [],
  closedMonths: [],
  period: { from: '2026-10-31T23:00:00.000Z', to: '2026-11-30T23:00:00.000Z' },
};
const scope = { mode: 'test', merchantId: null } as const;
const [payments] = COLUMNS.volume;

test('a sum leads to the payments of its group, also where they have no gateway, account, method or rule', () => {
  const behind = (group: Parameters<typeof listBehind>[2]['group'], change: Partial<ReportRow>) => {
    const href = payments && listBehind(payments, rowOf(change), { scope, group, report });
    const {
      mode: _mode,
      status: _status,
      currency,
      from: _from,
      to: _to,
      ...own
    } = Object.fromEntries(new URLSearchParams(href?.split('?')[1]));
    // A report is of one currency.
    expect(currency).toBe('NGN');
    return own;
  };
  expect(behind('gateway', { gateway: 'paystack' })).toEqual({ at: 'paystack' });
  expect(behind('gateway', { gateway: '' })).toEqual({ at: 'NONE' });
  expect(behind('account', { account: null })).toEqual({ at: 'NONE' });
  expect(behind('account', { account: { id: 'a1', gateway: 'paystack', label: 'Main' } })).toEqual({ account: 'a1' });
  expect(behind('method', { method: '' })).toEqual({ method: 'NONE' });
  expect(behind('rule', { ruleId: '' })).toEqual({ rule: 'NONE' });
  expect(behind('rule', { ruleId: 'card-small' })).toEqual({ rule: 'card-small' });
});

test('a sum as of an earlier moment has no link: lists show the current state', () => {
  const then = { ...report, asOf: '2026-11-01T00:00:00.000Z' };
  expect(payments && listBehind(payments, rowOf({ gateway: 'paystack' }), { scope, group: 'gateway', report: then })).toBeNull();
});

test('by another date a sum has no link, and titles and the name of the file name the date', () => {
  const paid: Report = { ...report, date: 'PAID' };
  expect(payments && listBehind(payments, rowOf({ gateway: 'paystack' }), { scope, group: 'gateway', report: paid })).toBeNull();
  const [titles] = toCsv(paid, [rowOf({ periodStart: '2026-11-01' })], { group: 'day', measure: 'volume' }).split('\r\n');
  expect(titles).toBe('day paid,Payments,"Requested, NGN",Paid,"Paid amount, NGN","Paid amount, NGN, before"');
  expect(groupTitle('month', 'Month', 'settled')).toBe('Month settled');
  expect(groupTitle('gateway', 'Gateway', 'settled')).toBe('Gateway');
  expect(fileName('fees', 'day', 'settled', { from: '2026-11-01', to: '2026-11-30' })).toBe(
    'fees-by-day-settled-2026-11-01-2026-11-30.csv',
  );
});

test('a file holds what the table shows, the period before included, and no cell is a formula', () => {
  const file = toCsv(report, [rowOf({ ruleId: '=HYPERLINK("x")' })], { group: 'rule', measure: 'volume' });
  expect(file.split('\r\n')).toEqual([
    'rule,Payments,"Requested, NGN",Paid,"Paid amount, NGN","Paid amount, NGN, before"',
    `"'=HYPERLINK(""x"")",3,9000,2,6000,5000`,
    'Total,3,9000,2,6000,',
    '',
  ]);
});

test('rows of one report have different keys, also where two are called the same or have no name', () => {
  const rows: Readonly<Record<(typeof GROUPS)[number], readonly Partial<ReportRow>[]>> = {
    day: [{ periodStart: '2026-11-01' }, { periodStart: '2026-11-02' }],
    week: [{ periodStart: '2026-11-02' }, { periodStart: '2026-11-09' }],
    month: [{ periodStart: '2026-10-01' }, { periodStart: '2026-11-01' }],
    gateway: [{ gateway: '' }, { gateway: 'paystack' }],
    account: [
      { account: null },
      { account: { id: 'a1', gateway: 'paystack', label: 'Main' } },
      { account: { id: 'a2', gateway: 'flutterwave', label: 'Main' } },
    ],
    method: [{ method: '' }, { method: 'CARD' }],
    merchant: [{ merchant: { id: 'm1', name: 'Ade' } }, { merchant: { id: 'm2', name: 'Ade' } }],
    rule: [{ ruleId: '' }, { ruleId: 'No rule' }],
  };
  for (const group of GROUPS) {
    const keys = rows[group].map((row) => rowKey(rowOf(row)));
    expect(new Set(keys).size, group).toBe(keys.length);
  }
});

test("days without payments are filled in over the report's own period, up to today", () => {
  const one = rowOf({ periodStart: '2026-11-02' });
  const filled = filledRows({ ...report, rows: [one] }, 'day', Date.parse('2026-11-04T12:00:00Z'));
  expect(filled.map(({ periodStart, sums: { payments: counted } }) => [periodStart, counted])).toEqual([
    ['2026-11-01', 0],
    ['2026-11-02', 3],
    ['2026-11-03', 0],
    ['2026-11-04', 0],
  ]);
});

test.each([
  ['day', '2026-11-04', '2026-11-04T12:00:00Z', true],
  ['day', '2026-11-04', '2026-11-04T23:30:00Z', false],
  ['week', '2026-11-02', '2026-11-04T12:00:00Z', true],
  ['month', '2026-10-01', '2026-11-04T12:00:00Z', false],
  ['gateway', null, '2026-11-04T12:00:00Z', false],
] as const)(
  'whether the last %s (%s) is unfinished at %s goes by the zone of the report',
  (group, periodStart, now, expected) => {
    expect(endsUnfinished(report, [rowOf({ periodStart })], group, Date.parse(now))).toBe(expected);
  },
);

test('a period with days that the one before lacks is not compared; groups without time are', () => {
  const known = rowOf({ periodStart: '2026-11-01' });
  const lacking = rowOf({ periodStart: '2026-11-02', previous: null });
  const empty = rowOf({ periodStart: '2026-11-03', previous: null, sums: { ...sums, payments: 0 } });
  expect(hasGapBefore([known, empty], 'day')).toBe(false);
  expect(hasGapBefore([known, lacking], 'day')).toBe(true);
  expect(hasGapBefore([lacking], 'gateway')).toBe(false);
});

test('a change is shown of twenty payments before and now, and of no fewer', () => {
  const [, , , paidAmount] = COLUMNS.volume;
  if (paidAmount === undefined) throw new Error('there is no such column');
  const of = (count: number, amount: number) => ({ ...sums, payments: count, paidAmount: amount });
  expect(changeOf(paidAmount, of(20, 6_000), of(20, 5_000))).toBe('+20.0%');
  expect(changeOf(paidAmount, of(19, 6_000), of(20, 5_000))).toBe('');
  expect(changeOf(paidAmount, of(20, 6_000), of(19, 5_000))).toBe('');
  expect(changeOf(paidAmount, of(20, 6_000), null)).toBe('');
  expect(compare(paidAmount, 'NGN', of(19, 6_000), of(20, 5_000))).toBe('Too few payments to compare with the previous period');
});
