import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Switchyard } from './process.ts';
import { sessionOf } from './testing/dashboard.ts';
import { dayIn, millionths } from './testing/ledger-oracle.ts';
import { rowsOf } from './testing/nouns.ts';
import { sendGraphql } from './testing/served.ts';
import { Browser, createStaffWithGrants, ORIGIN, openTestSwitchyard } from './testing/switchyard.ts';
import { drawWorld } from './testing/world.ts';
import { createCallerFactory } from './trpc/procedure.ts';
import { appRouter } from './trpc/router.ts';

/* Reports held to a second reading of the same rows, one after the other. */

type Row = Readonly<Record<string, unknown>>;

const MODES = ['test', 'live'] as const;
const ZONES = ['Africa/Lagos', 'Pacific/Auckland', 'America/Los_Angeles'] as const;
let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
let merchantIds: readonly [string, string];
const payments = new Map<string, readonly Row[]>();
const fees = new Map<string, readonly Row[]>();
beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  ({ merchantIds } = await drawWorld(switchyard));
  browser = new Browser(switchyard);
  const grants = merchantIds.map((merchantId) => ({ merchantId, role: 'owner' as const }));
  await browser.signIn(await createStaffWithGrants(switchyard, 'owner@example.com', grants));
  for (const mode of MODES) {
    payments.set(mode, [...(await rowsOf(switchyard, 'payment', mode)).values()]);
    fees.set(mode, [...(await rowsOf(switchyard, 'fee', mode)).values()]);
  }
});
afterAll(() => close());

const answerSchema = z.object({
  data: z.object({
    volume: z.object({ rows: z.array(z.record(z.string(), z.unknown())), total: z.record(z.string(), z.unknown()) }),
  }),
});

const SUMS = 'payments paid failed expired pending late amount paidAmount refunded reversed fees net conversion';

async function askVolume({
  filter,
  ...rest
}: Readonly<Record<string, unknown>> & {
  readonly filter: Readonly<Record<string, string | undefined>>;
}) {
  const query = `query ($filter: VolumeFilter!, $groupBy: [VolumeGroup!]!, $currency: String!, $zone: String!) {
    volume(filter: $filter, groupBy: $groupBy, currency: $currency, zone: $zone) { ... on VolumeReport {
      rows { periodStart gateway account { id } method status merchant { id } ruleId sums { ${SUMS} } } total { ${SUMS} } } } }`;
  const headers = browser.headers({ 'content-type': 'application/json' });
  const variables = { ...rest, filter: { ...filter, date: filter.date?.toUpperCase() } };
  const body = JSON.stringify({ query, variables });
  const answer = await (
    await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }))
  ).json();
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new Error(JSON.stringify(answer));
  return parsed.data.data.volume;
}

const isPaid = ({ status }: Row) => status === 'SUCCESS' || status === 'REFUNDED';
const sum = (rows: readonly Row[], column: string) => rows.reduce((all, row) => all + millionths(row[column] ?? 0), 0n);

/** The sums of payments as a report gives them, in millionths. */
function sumsOf(rows: readonly Row[]): Record<string, number | bigint | null> {
  const count = (is: (row: Row) => boolean) => rows.filter(is).length;
  const paid = rows.filter(isPaid);
  const failed = count(({ status }) => status === 'FAILED');
  const [refunded, reversed, charged] = [sum(rows, 'refunded_amount'), sum(rows, 'reversed_amount'), sum(paid, 'fee_amount')];
  return {
    payments: rows.length,
    paid: paid.length,
    failed,
    expired: count(({ display_status }) => display_status === 'EXPIRED'),
    pending: count(({ status }) => status === 'PENDING'),
    late: count(({ late }) => late === true),
    amount: sum(rows, 'amount'),
    paidAmount: sum(paid, 'amount'),
    refunded,
    reversed,
    fees: charged,
    net: sum(paid, 'amount') - refunded - reversed - charged,
    conversion: paid.length + failed === 0 ? null : paid.length / (paid.length + failed),
  };
}

const COUNTS = ['payments', 'paid', 'failed', 'expired', 'pending', 'late', 'conversion'];
const shownSums = (sums: unknown) =>
  Object.fromEntries(
    Object.entries(z.record(z.string(), z.unknown()).parse(sums)).map(([name, value]) => [
      name,
      COUNTS.includes(name) ? value : millionths(value),
    ]),
  );

/** The day of a payment by a date of a report; null where it has none. */
function dayOf(payment: Row, date: string, zone: string): string | null {
  if (date === 'settled') return payment.settled_on === null ? null : String(payment.settled_on);
  const moment = date === 'paid' ? payment.paid_at : payment.created_at;
  return moment === null ? null : dayIn(zone, moment);
}

function stepOf(day: string, step: string): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`;
  if (step === 'day') return day;
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The groups of a report: where its row has the name, and what it is of a payment. */
const GROUPS: Readonly<Record<string, readonly [(row: Row) => unknown, (payment: Row) => unknown]>> = {
  gateway: [(row) => row.gateway, (payment) => payment.account_gateway ?? ''],
  account: [(row) => z.object({ id: z.string() }).nullable().parse(row.account)?.id ?? '', (payment) => payment.account_id ?? ''],
  method: [(row) => row.method, (payment) => payment.used_method ?? ''],
  status: [(row) => row.status, (payment) => payment.status],
  merchant: [(row) => z.object({ id: z.string() }).parse(row.merchant).id, (payment) => payment.merchant_id],
  rule: [(row) => row.ruleId, (payment) => payment.rule_id ?? ''],
};
const STEPS = ['day', 'week', 'month'];

/** Every moment of the world; days that gateways pay out reach further. */
const EVER = { from: '2026-08-01T00:00:00Z', to: '2027-09-01T00:00:00Z' };
describe.each(['created', 'paid', 'settled'])('volume by when payments were %s', (date) => {
  test.each(MODES)('has each payment of %s mode once, by every group', async (mode) => {
    for (const currency of ['NGN', 'USD']) {
      const own = (payments.get(mode) ?? []).filter((row) => row.currency === currency && row.status !== 'INITIATED');
      const dated = own.filter((row) => dayOf(row, date, 'UTC') !== null);
      expect(dated.length).toBeGreaterThan(1);
      for (const [group, [shown, wanted]] of Object.entries(GROUPS)) {
        const { rows, total } = await askVolume({ filter: { ...EVER, mode, date }, groupBy: [group], currency, zone: 'UTC' });
        const groups = Map.groupBy(dated, (payment) => String(wanted(payment)));
        const found = Object.fromEntries(rows.map((row) => [String(shown(row)), shownSums(row.sums)]));
        expect(found).toEqual(Object.fromEntries([...groups].map(([name, of]) => [name, sumsOf(of)])));
        expect(shownSums(total)).toEqual(sumsOf(dated));
      }
    }
  });

  test.each(ZONES)('has each payment on its day, week and month in %s', async (zone) => {
    for (const mode of MODES) {
      const own = (payments.get(mode) ?? []).filter((row) => row.currency === 'NGN' && row.status !== 'INITIATED');
      for (const step of STEPS) {
        const { rows } = await askVolume({ filter: { ...EVER, mode, date }, groupBy: [step], currency: 'NGN', zone });
        const groups = Map.groupBy(own, (payment) => {
          const day = dayOf(payment, date, zone);
          return day === null ? '' : stepOf(day, step);
        });
        groups.delete('');
        expect(Object.fromEntries(rows.map((row) => [row.periodStart, shownSums(row.sums)]))).toEqual(
          Object.fromEntries([...groups].map(([name, of]) => [name, sumsOf(of)])),
        );
      }
    }
  });

  test('has the payments of a period alone', async () => {
    const own = (payments.get('test') ?? []).filter((row) => row.currency === 'NGN' && row.status !== 'INITIATED');
    const months = own.flatMap((row) => dayOf(row, date, 'Africa/Lagos')?.slice(0, 7) ?? []).toSorted();
    const [month = '', ...others] = months;
    expect(others.some((other) => other !== month)).toBe(true);
    const [year = 0, number = 0] = month.split('-').map(Number);
    // Midnights of Lagos, which are noons and evenings elsewhere.
    const [from, to] = [number - 1, number].map((at) => new Date(Date.UTC(year, at, 1, -1)).toISOString());
    const { total } = await askVolume({
      filter: { from, to, mode: 'test', date },
      groupBy: [],
      currency: 'NGN',
      zone: 'Africa/Lagos',
    });
    const within = own.filter((row) => dayOf(row, date, 'Africa/Lagos')?.startsWith(month) === true);
    expect(shownSums(total)).toEqual(sumsOf(within));
  });
});

const caller = () => {
  const session = {
    ...sessionOf('owner', null),
    grants: merchantIds.map((merchantId) => ({ merchantId, role: 'owner' as const })),
  };
  return createCallerFactory(appRouter)({ switchyard, session });
};

/** The sums of fees as the page gives them. */
function feeSumsOf(rows: readonly Row[]) {
  const compared = rows.filter(({ expected, charged }) => expected !== null && charged !== null);
  const over = rows.filter(({ excess }) => Number(excess) > 0);
  const under = rows.filter(({ excess }) => Number(excess) < 0);
  return {
    payments: rows.length,
    amount: sum(rows, 'amount'),
    compared: compared.length,
    expected: sum(compared, 'expected'),
    charged: sum(compared, 'charged'),
    difference: sum(compared, 'charged') - sum(compared, 'expected'),
    overcharged: over.length,
    overcharge: sum(over, 'excess'),
    undercharged: under.length,
    undercharge: -sum(under, 'excess'),
    withoutContract: rows.filter(({ expected }) => expected === null).length,
    withoutFee: rows.filter(({ charged }) => charged === null).length,
  };
}

const FEE_AMOUNTS = ['amount', 'expected', 'charged', 'difference', 'overcharge', 'undercharge'];
const shownFees = (sums: object) =>
  Object.fromEntries(
    Object.entries(sums).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
      if (FEE_AMOUNTS.includes(name)) return [[name, millionths(value)]];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );

function feeDayOf(fee: Row, date: string): string | null {
  if (date === 'settled') return fee.settled_on === null ? null : String(fee.settled_on);
  return dayIn('Africa/Lagos', date === 'paid' ? fee.paid_at : fee.created_at);
}

describe.each(['created', 'paid', 'settled'] as const)('fees by when payments were %s', (date) => {
  test.each(MODES)('have each payment of %s mode once, by currency and by month', async (mode) => {
    const all = fees.get(mode) ?? [];
    const filter = { mode, date };
    const sums = await caller().fees.sums(filter);
    expect(Object.fromEntries(sums.map(({ currency, ...rest }) => [currency, shownFees(rest)]))).toEqual(
      Object.fromEntries(
        [...Map.groupBy(all, ({ currency }) => String(currency))].map(([currency, of]) => [currency, feeSumsOf(of)]),
      ),
    );
    const monthOf = (fee: Row) => feeDayOf(fee, date)?.slice(0, 7) ?? null;
    const key = (accountId: unknown, month: unknown, currency: unknown) => JSON.stringify([accountId, month, currency]);
    const groups = Map.groupBy(all, (fee) => key(fee.account_id, monthOf(fee), fee.currency));
    const months = await caller().fees.months(filter);
    expect(Object.fromEntries(months.map((row) => [key(row.accountId, row.month, row.currency), shownFees(row)]))).toEqual(
      Object.fromEntries([...groups].map(([name, of]) => [name, feeSumsOf(of)])),
    );
  });

  test('of a period have its payments alone, those of its first and its last day too', async () => {
    const all = fees.get('test') ?? [];
    const days = all.flatMap((fee) => feeDayOf(fee, date) ?? []).toSorted();
    const [from = '', to = ''] = [days[1], days.at(-2)];
    const within = all.filter((fee) => {
      const day = feeDayOf(fee, date);
      return day !== null && day >= from && day <= to;
    });
    expect(within.length).toBeLessThan(all.length);
    const sums = await caller().fees.sums({ mode: 'test', date, from, to });
    expect(sums.reduce((count, { payments: own }) => count + own, 0)).toBe(within.length);
    const amounts = sums.reduce(
      (total, { overcharge, undercharge }) => total + millionths(overcharge) - millionths(undercharge),
      0n,
    );
    expect(amounts).toBe(sum(within, 'excess'));
  });
});
