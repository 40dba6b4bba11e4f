import { newId, type Reports } from '@switchyard/db';
import type { PaymentStatus } from '@switchyard/db/client';
import { openReports } from '@switchyard/db/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyRollupChanges, findWrongRollups, rebuildRollups } from './rollups.ts';
import { readVolume } from './volume.ts';
import type { VolumeGroup, VolumeQuery } from './volume-query.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

let database: TestDatabase;
let reports: Reports;
beforeAll(async () => {
  database = await createTestDatabase();
  reports = openReports({ url: database.url, ...TEST_CONNECTION, onIdleError: () => undefined });
});
afterAll(async () => {
  await reports.close();
  await database.close();
});

const BASE = Date.parse('2026-03-28T00:00:00Z');
const HOUR_MS = 3_600_000;
const accounts = [newId(), newId()] as const;
const gatewayOf = (accountId: string) => (accountId === accounts[0] ? 'paystack' : 'flutterwave');

interface PaymentSpec {
  readonly hours: number;
  readonly amount: number;
  readonly currency: string;
  readonly account: 0 | 1 | null;
  readonly method: 'CARD' | 'TRANSFER' | null;
  readonly steps: readonly Step[];
}
type Step =
  | { readonly kind: 'status'; readonly status: PaymentStatus }
  | { readonly kind: 'fee'; readonly kobo: number }
  | { readonly kind: 'refund'; readonly share: number }
  | { readonly kind: 'reversal'; readonly share: number }
  | { readonly kind: 'late' }
  | { readonly kind: 'paid_method'; readonly method: string }
  | { readonly kind: 'paid_elsewhere' }
  | { readonly kind: 'answered'; readonly failureClass: string | null; readonly latencyMs: number }
  | { readonly kind: 'count' };

const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.constantFrom('PENDING', 'SUCCESS', 'FAILED', 'REFUNDED' as const).map((status) => ({ kind: 'status', status }) as const),
  fc.integer({ min: 0, max: 99_999 }).map((kobo) => ({ kind: 'fee', kobo }) as const),
  fc.double({ min: 0, max: 1, noNaN: true }).map((share) => ({ kind: 'refund', share }) as const),
  fc.double({ min: 0, max: 1, noNaN: true }).map((share) => ({ kind: 'reversal', share }) as const),
  fc.constant({ kind: 'late' } as const),
  fc.constantFrom('CARD', 'USSD').map((method) => ({ kind: 'paid_method', method }) as const),
  fc.constant({ kind: 'paid_elsewhere' } as const),
  fc.record({
    kind: fc.constant('answered' as const),
    failureClass: fc.constantFrom('provider_fault', null),
    latencyMs: fc.integer({ min: 0, max: 900 }),
  }),
  fc.constant({ kind: 'count' } as const),
);
const paymentSpec: fc.Arbitrary<PaymentSpec> = fc.record({
  hours: fc.double({ min: 0, max: 72, noNaN: true }),
  amount: fc.integer({ min: 1, max: 1_000_000 }),
  currency: fc.constantFrom('NGN', 'USD'),
  account: fc.constantFrom(0, 1, null),
  method: fc.constantFrom('CARD', 'TRANSFER', null),
  steps: fc.array(step, { maxLength: 6 }),
});

async function record(merchantId: string, wanted: PaymentSpec): Promise<string> {
  const id = newId();
  const createdAt = new Date(BASE + wanted.hours * HOUR_MS);
  const attempts = wanted.account === null ? [] : [accounts[wanted.account], accounts[1 - wanted.account] ?? accounts[0]];
  const attemptIds = attempts.map(() => newId());
  await database.prisma.payment.create({
    data: {
      merchantId,
      id,
      mode: 'test',
      merchantOrderId: id,
      status: 'INITIATED',
      amount: wanted.amount,
      currency: wanted.currency,
      customerEmail: 'ada@example.com',
      paymentMethod: wanted.method,
      routingMode: 'smart',
      smartRoutingBypassed: false,
      ruleSetVersion: 1,
      ruleId: wanted.amount % 2 === 0 ? 'even' : null,
      packedDecision: new Uint8Array(),
      packedSession: new Uint8Array(),
      recommendedGateway: '',
      expiresAt: createdAt,
      version: 1,
      statusEventId: newId(),
      statusChangedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
    },
  });
  await database.prisma.attempt.createMany({
    data: attempts.map((accountId, position) => ({
      merchantId,
      id: attemptIds[position] ?? newId(),
      paymentId: id,
      position,
      accountId,
      gateway: gatewayOf(accountId),
      reference: `${id}-${position}`,
      state: 'OPENED' as const,
      latencyMs: wanted.amount % 700,
      createdAt,
      updatedAt: createdAt,
    })),
  });
  const key = { where: { merchantId_id: { merchantId, id } } };
  await database.prisma.payment.update({ ...key, data: { currentAttemptId: attemptIds[0] ?? null } });
  for (const one of wanted.steps) await take(merchantId, id, wanted, attemptIds, one);
  return id;
}

async function take(
  merchantId: string,
  id: string,
  { amount }: PaymentSpec,
  attempts: readonly string[],
  one: Step,
): Promise<void> {
  const change = (data: object) => database.prisma.payment.update({ where: { merchantId_id: { merchantId, id } }, data });
  switch (one.kind) {
    case 'status': {
      // Every second amount that is not paid expired.
      const failureReason = one.status !== 'FAILED' ? null : amount % 2 === 0 ? 'session_expired' : 'declined';
      return void (await change({ status: one.status, failureReason }));
    }
    case 'fee':
      return void (await change({ feeAmount: (one.kobo / 100).toFixed(2) }));
    case 'refund':
      return void (await change({ refundedAmount: BigInt(Math.floor(amount * one.share)) }));
    case 'reversal':
      return void (await change({ reversedAmount: (Math.floor(amount * one.share * 100) / 100).toFixed(2) }));
    case 'late':
      return void (await change({ late: true }));
    case 'paid_method':
      return void (await change({ paidMethod: one.method }));
    case 'paid_elsewhere':
      return void (await change({ paidAttemptId: attempts[1] ?? null }));
    case 'answered': {
      const { failureClass, latencyMs } = one;
      const where = { merchantId, id: { in: attempts.slice(0, 1) } };
      return void (await database.prisma.attempt.updateMany({ where, data: { failureClass, latencyMs } }));
    }
    case 'count':
      return void (await applyRollupChanges(database, 3));
    default:
      return one satisfies never;
  }
}

const all = {
  mode: 'test',
  currency: null,
  asOf: null,
  gateways: [],
  accountIds: [],
  methods: [],
  statuses: [],
  ruleIds: [],
} as const satisfies Partial<VolumeQuery>;

/** The same totals, computed payment by payment. */
async function addUp(query: VolumeQuery) {
  const payments = await database.prisma.payment.findMany({
    where: {
      merchantId: { in: [...query.merchantIds] },
      createdAt: { gte: query.from, lt: query.to },
      status: { not: 'INITIATED' },
      ...(query.currency !== null && { currency: query.currency }),
    },
    include: { attempts: true },
  });
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: query.zone, dateStyle: 'short' });
  const groups = new Map<
    string,
    {
      payments: number;
      paid: number;
      failed: number;
      expired: number;
      amount: bigint;
      refunded: bigint;
      reversed: number;
      kobo: number;
    }
  >();
  for (const payment of payments) {
    const attempt = payment.attempts.find(({ id }) => id === (payment.paidAttemptId ?? payment.currentAttemptId));
    const values: Partial<Record<VolumeGroup, string>> = {
      day: days.format(payment.createdAt),
      gateway: attempt?.gateway ?? '',
      status: payment.status,
      currency: payment.currency,
    };
    const key = JSON.stringify(query.groupBy.map((group) => values[group]));
    const sum = groups.get(key) ?? {
      payments: 0,
      paid: 0,
      failed: 0,
      expired: 0,
      amount: 0n,
      refunded: 0n,
      reversed: 0,
      kobo: 0,
    };
    const paid = payment.status === 'SUCCESS' || payment.status === 'REFUNDED';
    groups.set(key, {
      payments: sum.payments + 1,
      paid: sum.paid + (paid ? 1 : 0),
      failed: sum.failed + (payment.status === 'FAILED' ? 1 : 0),
      expired: sum.expired + (payment.failureReason === 'session_expired' ? 1 : 0),
      amount: sum.amount + payment.amount,
      refunded: sum.refunded + payment.refundedAmount,
      reversed: sum.reversed + Math.round(Number(payment.reversedAmount) * 100),
      kobo: sum.kobo + (paid ? Math.round(Number(payment.feeAmount ?? 0) * 100) : 0),
    });
  }
  return groups;
}

async function expectEqual(query: VolumeQuery): Promise<void> {
  const rows = await reports.read((client) => readVolume(client, query));
  const entries = rows.map((row) => [
    JSON.stringify(query.groupBy.map((group) => row.keys[group])),
    {
      payments: row.payments,
      paid: row.paid,
      failed: row.failed,
      expired: row.expired,
      amount: row.amount,
      refunded: row.refunded,
      reversed: Math.round(Number(row.reversed) * 100),
      kobo: Math.round(Number(row.fees) * 100),
    },
  ]);
  const expected = await addUp(query);
  expect(new Map(entries as [string, unknown][])).toEqual(expected);
}

describe('report totals', () => {
  test('equal the sums of the payments, at every moment, in every zone and currency and for every split of a period', async () => {
    const zones = fc.constantFrom('Africa/Lagos', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York');
    await fc.assert(
      fc.asyncProperty(
        fc.array(paymentSpec, { minLength: 1, maxLength: 8 }),
        fc.tuple(fc.double({ min: -2, max: 70, noNaN: true }), fc.double({ min: 0, max: 80, noNaN: true })),
        zones,
        async (specs, [begin, hours], zone) => {
          const merchantId = newId();
          await database.prisma.tenant.create({ data: { id: merchantId } });
          for (const wanted of specs) await record(merchantId, wanted);
          const from = new Date(BASE + begin * HOUR_MS);
          const to = new Date(BASE + (begin + hours) * HOUR_MS);
          const questions = [
            { currency: 'NGN', groupBy: [] },
            { currency: 'USD', groupBy: ['day', 'gateway', 'status'] },
            { currency: null, groupBy: ['day', 'gateway', 'status', 'currency'] },
            { currency: null, groupBy: ['currency'] },
          ] as const;
          for (const { currency, groupBy } of questions) {
            if (groupBy.length === 0 && hours === 0) continue;
            const query = { ...all, merchantIds: [merchantId], from, to, zone, currency, groupBy };
            if (groupBy.length === 0 && (await addUp(query)).size === 0) continue;
            await expectEqual(query);
          }
        },
      ),
      { numRuns: 8 * TIMES },
    );
    expect(await findWrongRollups(database.url)).toEqual([]);
  });

  test('are the same after a rebuild, and a wrong one is detected', async () => {
    const merchantId = newId();
    for (const hours of [1, 2, 30]) {
      const steps = [{ kind: 'status', status: 'SUCCESS' } as const];
      await record(merchantId, { hours, amount: 2_000, currency: 'NGN', account: 0, method: 'CARD', steps });
    }
    while ((await applyRollupChanges(database, 100)) > 0);
    const days = { merchantId, detail: 'rules', step: 'day' } as const;
    const readDays = () => database.prisma.paymentRollup.findMany({ where: days, orderBy: { beginsAt: 'asc' } });
    const before = (await readDays()).filter(({ payments }) => payments !== 0n);
    expect(before.map(({ payments }) => payments)).toEqual([2n, 1n]);
    await database.prisma.paymentRollup.updateMany({ where: days, data: { amount: { increment: 1 } } });
    expect((await findWrongRollups(database.url)).map((wrong) => [wrong.table, wrong.merchantId])).toContainEqual([
      'payment_rollup',
      merchantId,
    ]);
    await rebuildRollups(database.url);
    expect(await findWrongRollups(database.url)).toEqual([]);
    expect(await readDays()).toEqual(before);
  });

  test('use the account of the attempt, and a payment with another one is detected', async () => {
    const merchantId = newId();
    const id = await record(merchantId, {
      hours: 3,
      amount: 70,
      currency: 'NGN',
      account: 0,
      method: 'CARD',
      steps: [{ kind: 'paid_elsewhere' }],
    });
    const key = { where: { merchantId_id: { merchantId, id } } };
    expect(await database.prisma.payment.findUnique(key)).toMatchObject({
      accountId: accounts[1],
      accountGateway: 'flutterwave',
    });
    await database.prisma.payment.update({ ...key, data: { accountId: accounts[0] } });
    expect((await findWrongRollups(database.url)).map(({ sum }) => JSON.parse(sum))).toContainEqual(
      expect.objectContaining({ payment_id: id, account_id: accounts[0], account_of_attempt: accounts[1] }),
    );
    await database.prisma.payment.update({ ...key, data: { accountId: accounts[1] } });
    expect(await findWrongRollups(database.url)).toEqual([]);
  });

  test('apply every change record once, with any number of concurrent processes', async () => {
    const merchantId = newId();
    for (let index = 0; index < 30; index++) {
      const steps = [{ kind: 'status', status: 'PENDING' } as const, { kind: 'status', status: 'SUCCESS' } as const];
      await record(merchantId, { hours: index, amount: 10, currency: 'NGN', account: 1, method: null, steps });
    }
    await Promise.all(Array.from({ length: 40 }, () => applyRollupChanges(database, 5)));
    while ((await applyRollupChanges(database, 100)) > 0);
    expect(await findWrongRollups(database.url)).toEqual([]);
  });
});

describe('the reporting connection', () => {
  test('is read-only', async () => {
    await expect(reports.read((client) => client.query('DELETE FROM payment'))).rejects.toThrow(/read-only/);
    await expect(reports.prisma.payment.deleteMany()).rejects.toThrow(/read-only/);
  });

  test('cancels a query on abort, and answers the next one', async () => {
    const caller = new AbortController();
    const pending = reports.read(
      async (client) => {
        const sleeping = client.query('SELECT pg_sleep(60)');
        caller.abort();
        return sleeping;
      },
      { signal: caller.signal },
    );
    await expect(pending).rejects.toThrow(/cancel/);
    expect(await reports.read(async (client) => (await client.query('SELECT 1 AS one')).rows)).toEqual([{ one: 1 }]);
  });
});
