import type { TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  advanceReconciliationRun,
  completeReconciliationRun,
  failReconciliationRun,
  lockReconciliationRun,
  readReconciliationRuns,
  requestReconciliation,
} from './runs-queries.ts';
import { createReconciledMerchant, openTestReconciliation, seedDiscrepancy } from './testing/open.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const LEASE_MS = 300_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

let context: TestPayments;
let merchant: Awaited<ReturnType<typeof createReconciledMerchant>>;
beforeAll(async () => {
  context = await openTestReconciliation();
});
beforeEach(async () => {
  merchant = await createReconciledMerchant(context);
});
afterAll(() => context.close());

const keyOf = (day = '2026-11-20', accountId = merchant.paystack) => ({ merchantId: merchant.merchantId, accountId, day });
const request = (key = keyOf(), now = NOW) =>
  context.database.prisma.$transaction((transaction) =>
    requestReconciliation(
      transaction,
      { ...key, runId: context.newId(), mode: 'test', gateway: 'paystack', zone: 'Africa/Lagos' },
      now,
    ),
  );
const lock = (now = NOW) => lockReconciliationRun(context.database, keyOf(), { now, leaseMs: LEASE_MS });
const complete = (held: NonNullable<Awaited<ReturnType<typeof lock>>>, now = NOW) =>
  context.database.prisma.$transaction((transaction) => completeReconciliationRun(transaction, held, [], now));
const stored = async () =>
  context.database.prisma.reconciliationRun.findFirstOrThrow({ where: { merchantId: merchant.merchantId } });

describe('the lease on a run', () => {
  test('is given to one of many processes, and to none before the day is requested', async () => {
    expect(await lock()).toBeNull();
    await request();
    const locks = await Promise.all(Array.from({ length: 8 }, () => lock()));
    expect(locks.filter((held) => held !== null)).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'RUNNING', attempts: 1 });
  });

  test('that ran out can be taken, and its earlier holder changes nothing', async () => {
    await request();
    const first = await lock();
    const second = await lock(later(LEASE_MS + 1));
    if (first === null || second === null) throw new Error('the lease was not given');
    const progress = { rowsRead: 99, now: later(LEASE_MS + 2), leaseMs: LEASE_MS };
    expect(await advanceReconciliationRun(context.database, first, progress)).toBeNull();
    await failReconciliationRun(context.database, first, 'Too late.');
    expect(await complete(first)).toBe(false);
    expect(await stored()).toMatchObject({ state: 'RUNNING', rowsRead: 0, failure: null });
    expect(await complete(second)).toBe(true);
  });

  test('is renewed with progress, so that a long statement is read by one process', async () => {
    await request();
    const held = await lock();
    if (held === null) throw new Error('the lease was not given');
    const renewed = await advanceReconciliationRun(context.database, held, {
      rowsRead: 1_000,
      now: later(LEASE_MS - 1),
      leaseMs: LEASE_MS,
    });
    expect(await lock(later(LEASE_MS + 1))).toBeNull();
    expect(renewed !== null && (await complete(renewed))).toBe(true);
  });

  test('ends with a failure that the run names, and the day can be tried again', async () => {
    await request();
    const held = await lock();
    if (held === null) throw new Error('the lease was not given');
    await failReconciliationRun(context.database, held, 'The gateway refused the key.');
    expect(await stored()).toMatchObject({ state: 'FAILED', failure: 'The gateway refused the key.', leasedUntil: null });
    expect(await lock()).not.toBeNull();
    expect(await stored()).toMatchObject({ failure: null, attempts: 2 });
  });
});

describe('a day requested again', () => {
  test('while it runs stays as it is; once it is done it is queued anew', async () => {
    await request();
    const held = await lock();
    if (held === null) throw new Error('the lease was not given');
    expect((await request()).state).toBe('RUNNING');
    await complete(held);
    expect((await request()).state).toBe('QUEUED');
    expect(await context.database.prisma.reconciliationRun.count({ where: { merchantId: merchant.merchantId } })).toBe(1);
  });
});

describe('the list of runs', () => {
  const filter = () => ({ merchantIds: [merchant.merchantId], mode: 'test', accountId: null, from: null, to: null }) as const;

  test('has every run once over its pages, the latest day first, with its discrepancies counted', async () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
    for (const day of days) for (const account of [merchant.paystack, merchant.flutterwave]) await request(keyOf(day, account));
    const planted = { merchantId: merchant.merchantId, accountId: merchant.paystack, day: '2026-11-18' };
    await seedDiscrepancy(context, planted);
    await seedDiscrepancy(context, planted);
    await seedDiscrepancy(context, { ...planted, state: 'EXPLAINED' });
    const seen = [];
    for (let after = null; seen.length <= 10; ) {
      const page = await readReconciliationRuns(context.database, filter(), after, 3);
      seen.push(...page);
      const last = page.at(-1);
      if (last === undefined) break;
      after = { day: last.day.toISOString().slice(0, 10), runId: last.id };
    }
    expect(seen.map(({ day }) => day.toISOString().slice(0, 10))).toEqual([...days, ...days].sort().reverse());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(10);
    const counted = seen.filter(({ open, closed }) => open + closed > 0);
    expect(counted.map(({ accountId, open, closed }) => [accountId, open, closed])).toEqual([[merchant.paystack, 2, 1]]);
  });

  test('keeps to the merchant, the account and the days asked for', async () => {
    for (const day of ['2026-11-18', '2026-11-19', '2026-11-20']) await request(keyOf(day));
    await request(keyOf('2026-11-19', merchant.flutterwave));
    const days = async (changes: object) =>
      (await readReconciliationRuns(context.database, { ...filter(), ...changes }, null, 10)).map(({ day }) => day.getUTCDate());
    expect(await days({ from: '2026-11-19' })).toEqual([20, 19, 19]);
    expect(await days({ to: '2026-11-19', accountId: merchant.paystack })).toEqual([19, 18]);
    expect(await days({ mode: 'live' })).toEqual([]);
    expect(await days({ merchantIds: [context.newId()] })).toEqual([]);
  });
});
