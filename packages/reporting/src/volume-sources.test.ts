import { newId, type Reports } from '@switchyard/db';
import type { Payment } from '@switchyard/db/client';
import { openReports } from '@switchyard/db/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyRollupChanges, findWrongRollups, rebuildRollups } from './rollups.ts';
import { isAllMerchants, readVolume } from './volume.ts';
import type { VolumeGroup, VolumeQuery } from './volume-query.ts';
import { selectRollup } from './volume-sources.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

describe('the roll-up of a query', () => {
  const queryOf = (groupBy: VolumeGroup[], ids: { accountIds?: string[]; ruleIds?: string[] } = {}) => ({
    groupBy,
    accountIds: [],
    ruleIds: [],
    ...ids,
  });

  test.each([
    ['all_merchants', queryOf(['day', 'gateway', 'method', 'status']), true],
    ['all_merchants', queryOf([]), true],
    ['accounts', queryOf(['day', 'gateway']), false],
    ['accounts', queryOf(['merchant']), true],
    ['accounts', queryOf(['account']), true],
    ['accounts', queryOf(['month'], { accountIds: ['one'] }), true],
    ['rules', queryOf(['rule']), true],
    ['rules', queryOf(['day'], { ruleIds: ['one'] }), true],
    ['rules', queryOf(['account', 'rule']), false],
  ] as const)(
    'are the coarsest with its dimensions: %s for %j, of all merchants: %s',
    (fineness, question, isAllMerchantsQuery) => {
      expect(selectRollup(question, isAllMerchantsQuery)).toBe(fineness);
    },
  );
});

const BASE = Date.parse('2026-02-24T00:00:00Z');
const HOUR_MS = 3_600_000;
/** Months, weeks, and the night of Berlin's clock change lie within. */
const HOURS = 1_700;
const merchants = [newId(), newId(), newId()] as const;
const accounts = merchants.flatMap((merchantId) =>
  ['paystack', 'flutterwave'].map((gateway) => ({ merchantId, accountId: newId(), gateway })),
);
const NONE = '00000000-0000-0000-0000-000000000000';

let database: TestDatabase;
let reports: Reports;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.prisma.tenant.createMany({ data: merchants.map((id) => ({ id })) });
  reports = openReports({ url: database.url, ...TEST_CONNECTION, onIdleError: () => undefined });
  for (let n = 0; n < 160; n++) await record(n);
  await rebuildRollups(database.url);
  for (let n = 160; n < 220; n++) await record(n);
});
afterAll(async () => {
  await reports.close();
  await database.close();
});

/** Payments that differ in every roll-up key and in their time. */
async function record(n: number): Promise<void> {
  const pick = <T>(from: readonly T[], seed: number) => from[Math.floor(n / seed) % from.length] as T;
  const merchantId = pick(merchants, 1);
  const account =
    n % 7 === 0
      ? null
      : pick(
          accounts.filter((one) => one.merchantId === merchantId),
          3,
        );
  const id = newId();
  const attemptId = newId();
  const createdAt = new Date(BASE + ((n * 791_900_303) % (HOURS * HOUR_MS)));
  const status = pick(['SUCCESS', 'FAILED', 'PENDING', 'REFUNDED', 'INITIATED'] as const, 2);
  await database.prisma.payment.create({
    data: {
      merchantId,
      id,
      mode: n % 11 === 0 ? 'live' : 'test',
      merchantOrderId: id,
      status,
      amount: 100 + n,
      currency: pick(['NGN', 'NGN', 'USD'], 6),
      customerEmail: 'ada@example.com',
      paymentMethod: pick(['CARD', 'TRANSFER', null], 5),
      routingMode: 'smart',
      smartRoutingBypassed: false,
      ruleSetVersion: 1,
      ruleId: pick(['large', null, 'small'], 4),
      packedDecision: new Uint8Array(),
      packedSession: new Uint8Array(),
      recommendedGateway: '',
      expiresAt: createdAt,
      version: 1,
      late: n % 13 === 0,
      statusEventId: newId(),
      statusChangedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      feeAmount: `${n}.25`,
      refundedAmount: status === 'REFUNDED' ? 10n : 0n,
    },
  });
  if (account === null) return;
  const { accountId, gateway } = account;
  await database.prisma.attempt.create({
    data: {
      merchantId,
      id: attemptId,
      paymentId: id,
      position: 0,
      accountId,
      gateway,
      reference: id,
      state: 'OPENED',
      createdAt,
      updatedAt: createdAt,
    },
  });
  await database.prisma.payment.update({ where: { merchantId_id: { merchantId, id } }, data: { currentAttemptId: attemptId } });
}

const some = <T>(values: readonly T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray([...values], { minLength: 1 }) });
const question = fc.record({
  merchantIds: fc.oneof(fc.constant([...merchants]), fc.subarray([...merchants], { minLength: 1 })),
  zone: fc.constantFrom('Africa/Lagos', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Beirut', 'America/New_York'),
  groupBy: fc.subarray<VolumeGroup>(
    ['day', 'week', 'month', 'gateway', 'account', 'method', 'status', 'merchant', 'rule', 'currency'],
    {
      maxLength: 4,
    },
  ),
  hours: fc.tuple(
    fc.double({ min: -30, max: HOURS, noNaN: true }),
    fc.oneof(fc.double({ min: 0.1, max: 130, noNaN: true }), fc.double({ min: 0.1, max: HOURS, noNaN: true })),
  ),
  round: fc.boolean(),
  currency: fc.constantFrom('NGN', 'USD', null),
  gateways: some(['paystack', '']),
  accountIds: some(accounts.map(({ accountId }) => accountId)),
  methods: some(['CARD', '']),
  statuses: some(['SUCCESS', 'FAILED'] as const),
  ruleIds: some(['large', '']),
});

type Wanted = typeof question extends fc.Arbitrary<infer T> ? T : never;

function toQuery({ hours: [begin, length], round, ...rest }: Wanted): VolumeQuery {
  const at = (hours: number) => new Date(BASE + (round ? Math.round(hours) - 1 : hours) * HOUR_MS);
  return { ...rest, mode: 'test', asOf: null, from: at(begin), to: at(begin + length + 1) };
}

interface Whole extends Payment {
  readonly attempts: readonly { readonly id: string; readonly accountId: string; readonly gateway: string }[];
}

/** The group names of one payment, derived from the payment alone. */
function keysOf(payment: Whole, query: VolumeQuery): Readonly<Record<VolumeGroup, string>> {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: query.zone, dateStyle: 'short' }).format(payment.createdAt);
  const monday = new Date(`${day}T00:00:00Z`);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  const attempt = payment.attempts.find(({ id }) => id === payment.currentAttemptId);
  return {
    day,
    week: monday.toISOString().slice(0, 10),
    month: `${day.slice(0, 7)}-01`,
    status: payment.status,
    gateway: attempt?.gateway ?? '',
    account: attempt?.accountId ?? NONE,
    method: payment.paymentMethod ?? '',
    merchant: payment.merchantId,
    rule: payment.ruleId ?? '',
    currency: payment.currency,
  };
}

function expected(payments: readonly Whole[], query: VolumeQuery): Map<string, readonly number[]> {
  const groups = new Map<string, readonly number[]>();
  const chosen = (values: readonly string[], value: string) => values.length === 0 || values.includes(value);
  for (const payment of payments) {
    const keys = keysOf(payment, query);
    if (payment.createdAt < query.from || payment.createdAt >= query.to || !query.merchantIds.includes(keys.merchant)) continue;
    if (query.currency !== null && payment.currency !== query.currency) continue;
    if (!chosen(query.gateways, keys.gateway) || !chosen(query.accountIds, keys.account)) continue;
    if (!chosen(query.methods, keys.method) || !chosen(query.statuses, keys.status) || !chosen(query.ruleIds, keys.rule))
      continue;
    const name = JSON.stringify(query.groupBy.map((group) => keys[group]));
    const paid = payment.status === 'SUCCESS' || payment.status === 'REFUNDED';
    const own = [1, Number(paid), Number(payment.late), Number(payment.amount), paid ? Number(payment.amount) : 0].concat(
      Number(payment.refundedAmount),
      paid ? Number(payment.feeAmount) : 0,
    );
    groups.set(
      name,
      (groups.get(name) ?? own.map(() => 0)).map((sum, index) => sum + (own[index] ?? 0)),
    );
  }
  return groups;
}

describe('for any query', () => {
  test('the result equals the sum of single payments, before, while and after change records are applied', async () => {
    const where = { mode: 'test', status: { not: 'INITIATED' } } as const;
    const payments = await database.prisma.payment.findMany({ where, include: { attempts: true } });
    for (const counted of [0, 25, 10_000]) {
      await applyRollupChanges(database, Math.max(counted, 1));
      await fc.assert(
        fc.asyncProperty(question, async (wanted) => {
          const query = toQuery(wanted);
          const rows = await reports.read((client) => readVolume(client, query));
          const entries = rows.map((row): [string, readonly number[]] => [
            JSON.stringify(query.groupBy.map((group) => row.keys[group])),
            [
              row.payments,
              row.paid,
              row.late,
              Number(row.amount),
              Number(row.paidAmount),
              Number(row.refunded),
              Number(row.fees),
            ],
          ]);
          expect(new Map(entries)).toEqual(expected(payments, query));
        }),
        { numRuns: 10 * TIMES },
      );
    }
    expect(await findWrongRollups(database.url)).toEqual([]);
  });

  test('roll-ups over all merchants are used only for a query about every merchant with roll-ups', async () => {
    await applyRollupChanges(database, 10_000);
    const about = (ids: readonly string[]) => reports.read((client) => isAllMerchants(client, ids));
    expect(await about(merchants)).toBe(true);
    expect(await about([...merchants, newId()])).toBe(true);
    for (const one of merchants) expect(await about(merchants.filter((id) => id !== one))).toBe(false);
    expect(await about([])).toBe(false);
  });

  test.each(['hour', 'day'] as const)('a wrong roll-up by %s over all merchants is detected', async (step) => {
    const wrong = await database.prisma.paymentRollup.findFirstOrThrow({ where: { merchantId: NONE, step } });
    const key = {
      merchantId: NONE,
      mode: wrong.mode,
      detail: wrong.detail,
      step,
      beginsAt: wrong.beginsAt,
      method: wrong.method,
    };
    await database.prisma.paymentRollup.updateMany({ where: key, data: { late: { increment: 1 } } });
    const found = await findWrongRollups(database.url);
    expect(found.map(({ table, merchantId }) => `${table} ${merchantId}`)).toContain(`payment_rollup ${NONE}`);
    expect(found.map(({ sum }) => JSON.parse(sum))).toContainEqual(
      expect.objectContaining({ step, detail: 'all_merchants', late: 1 }),
    );
    await rebuildRollups(database.url);
    expect(await findWrongRollups(database.url)).toEqual([]);
  });
});
