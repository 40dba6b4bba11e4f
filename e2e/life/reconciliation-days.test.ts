import type { PaymentsContext } from '@switchyard/payments/context';
import { reconcileDay, requestDay, scheduleReconciliations } from '@switchyard/reconciliation/runs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { lagosDay } from '../harness/lagos-day.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { goBackToMidday } from '../harness/midday.ts';

const HOUR_MS = 3_600_000;
const STAFF = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

let day: string;
/** The one that ends the day, in Lagos. */
let midnight: number;
let harness: Harness;
let merchant: TestMerchant;
beforeAll(async () => {
  goBackToMidday();
  harness = await startHarness({ worker: false });
});
beforeEach(async () => {
  day = lagosDay();
  midnight = Date.parse(`${day}T00:00:00+01:00`) + 24 * HOUR_MS;
  merchant = await harness.merchant();
});
afterAll(async () => {
  await harness.close();
  vi.useRealTimers();
});

const at = (now: Date): PaymentsContext => ({ ...harness.switchyard.payments, now: () => now });
const keyOf = (gateway: PairName) => ({ merchantId: merchant.merchantId, accountId: merchant.accounts[gateway], day });

describe('days that are due', () => {
  const jobs = async () => {
    const { rows: found } = await harness.database.pool.query<{ count: string }>(
      `SELECT count(*) FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
       WHERE task.identifier = 'reconcile-day' AND payload->>'merchantId' = $1`,
      [merchant.merchantId],
    );
    return Number(found[0]?.count);
  };
  const runs = () => harness.database.prisma.reconciliationRun.findMany({ where: { merchantId: merchant.merchantId } });

  test('are scheduled some hours after midnight, once, however many processes schedule them', async () => {
    await scheduleReconciliations(at(new Date(midnight + 3 * HOUR_MS)));
    expect(await runs()).toEqual([]);
    const due = at(new Date(midnight + 5 * HOUR_MS));
    await Promise.all(Array.from({ length: 5 }, () => scheduleReconciliations(due)));
    expect((await runs()).map((run) => [run.state, run.day.toISOString().slice(0, 10)])).toEqual([
      ['QUEUED', day],
      ['QUEUED', day],
    ]);
    expect(await jobs()).toBe(2);
    for (const gateway of PAIR) await reconcileDay(due, keyOf(gateway));
    await scheduleReconciliations(at(new Date(midnight + 30 * HOUR_MS)));
    const own = (await runs()).filter((run) => run.day.toISOString().startsWith(day));
    expect(own.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['DONE', 1],
      ['DONE', 1],
    ]);
  });

  test('are scheduled once more after three days, for late payments', async () => {
    const due = at(new Date(midnight + 5 * HOUR_MS));
    await scheduleReconciliations(due);
    for (const gateway of PAIR) await reconcileDay(due, keyOf(gateway));
    const again = at(new Date(midnight + 73 * HOUR_MS));
    await scheduleReconciliations(again);
    const own = async () => (await runs()).filter((run) => run.day.toISOString().startsWith(day));
    expect((await own()).map(({ state }) => state)).toEqual(['QUEUED', 'QUEUED']);
    for (const gateway of PAIR) await reconcileDay(again, keyOf(gateway));
    await scheduleReconciliations(at(new Date(midnight + 80 * HOUR_MS)));
    expect((await own()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['DONE', 2],
      ['DONE', 2],
    ]);
  });

  test('that are not over, not days, or another merchant’s are refused', async () => {
    const ask = (changes: object) =>
      requestDay(at(new Date(midnight + 12 * HOUR_MS)), { ...keyOf('paystack'), actor: STAFF, ...changes });
    expect(await ask({ day: '2999-01-01' })).toMatchObject({ kind: 'refused' });
    expect(await ask({ day: '2026-02-31' })).toMatchObject({ kind: 'refused' });
    expect(await ask({ merchantId: harness.first.merchantId })).toEqual({ kind: 'not_found' });
  });
});
