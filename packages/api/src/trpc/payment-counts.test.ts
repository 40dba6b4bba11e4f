import { applyRollupChanges } from '@switchyard/reporting/rollups';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

const MANY = 20_000;
const NOON = Date.UTC(2026, 2, 2, 12);
let dashboard: TestDashboard;
let mine: DashboardMerchant;
beforeAll(async () => {
  dashboard = await openTestDashboard();
  mine = await createTestMerchant(dashboard);
  const theirs = await createTestMerchant(dashboard);
  await record(mine.merchantId, MANY);
  await record(theirs.merchantId, 7);
});
afterAll(() => dashboard.close());

/** Payments, one a minute from noon on: of ten, one is INITIATED, two FAILED, one PENDING, six SUCCESS; every second has a rule. */
async function record(merchantId: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += CHUNK) await recordRange(merchantId, first, Math.min(count, first + CHUNK - 1));
  // As open payments have them.
  await dashboard.database.pool.query(
    `INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT merchant_id, id, now(), status = 'INITIATED' FROM payment WHERE merchant_id = $1 AND status IN ('INITIATED', 'PENDING')`,
    [merchantId],
  );
}

/** Rows of one statement: a cluster beside other work writes so many within the time that a statement has. */
const CHUNK = 2_000;

async function recordRange(merchantId: string, first: number, last: number): Promise<void> {
  await dashboard.database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, packed_decision, packed_session, recommended_gateway, expires_at,
      version, status_event_id, status_changed_at, created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'test', 'order-' || n,
      (CASE n % 10 WHEN 0 THEN 'INITIATED' WHEN 1 THEN 'FAILED' WHEN 2 THEN 'FAILED' WHEN 3 THEN 'PENDING' ELSE 'SUCCESS' END)
        ::payment_status,
      n, CASE WHEN n % 5 = 0 THEN 'USD' ELSE 'NGN' END, 'ada@example.com', 'smart', false, 1,
      CASE WHEN n % 2 = 0 THEN 'even' END, '', '', 'paystack', now(), 1, gen_random_uuid(), now(),
      to_timestamp($3::float8 / 1000) + (n - 1) * interval '1 minute', now()
    FROM generate_series($2::int, $4::int) AS n`,
    [merchantId, first, NOON, last],
  );
}

const counts = (filter: object = {}) =>
  createCallerFactory(appRouter)({
    switchyard: dashboard.switchyard,
    session: sessionOf('viewer', mine.merchantId),
  }).payments.counts({ mode: 'test', ...filter });

const exactly = (count: number) => ({ count, more: false });
const OF_MANY = {
  all: exactly(MANY),
  byStatus: {
    INITIATED: exactly(MANY / 10),
    PENDING: exactly(MANY / 10),
    SUCCESS: exactly((MANY * 6) / 10),
    FAILED: exactly(MANY / 5),
    REFUNDED: exactly(0),
    PARTLY_REFUNDED: exactly(0),
    REVERSED: exactly(0),
    EXPIRED: exactly(0),
  },
};

test('the counts of payments are exact beyond ten thousand, whether the roll-ups have them already or not', async () => {
  expect(await counts()).toEqual(OF_MANY);
  expect(await applyRollupChanges(dashboard.database, 5)).toBeGreaterThan(0);
  expect(await counts()).toEqual(OF_MANY);
  while ((await applyRollupChanges(dashboard.database, 1_000)) > 0);
  expect(await counts({ statuses: ['FAILED'] })).toEqual(OF_MANY);
});

test('so are those of a period that begins and ends within an hour, and of payments without a rule', async () => {
  const from = new Date(NOON + 25 * 60_000);
  const to = new Date(NOON + (MANY - 35) * 60_000);
  expect(await counts({ createdFrom: from, createdTo: to })).toMatchObject({
    all: exactly(MANY - 60),
    byStatus: {
      INITIATED: exactly((MANY - 60) / 10),
      SUCCESS: exactly(((MANY - 60) * 6) / 10),
      FAILED: exactly((MANY - 60) / 5),
    },
  });
  expect(await counts({ ruleIds: ['NONE', 'even'] })).toMatchObject({ all: exactly(MANY) });
});

test('so is what the roll-ups do not have', async () => {
  expect(await counts({ customer: 'ada@example.com' })).toEqual(OF_MANY);
  expect(await counts({ amountFrom: 5 })).toMatchObject({ all: exactly(MANY - 4), byStatus: { FAILED: exactly(MANY / 5 - 2) } });
});

test('what is read as another status is counted apart, also beyond ten thousand', async () => {
  const { pool } = dashboard.database;
  await pool.query(
    `UPDATE payment SET failure_reason = 'session_expired'
    WHERE merchant_id = $1 AND status = 'FAILED' AND amount % 10 = 1`,
    [mine.merchantId],
  );
  await pool.query(`UPDATE payment SET refunded_amount = 1 WHERE merchant_id = $1 AND status = 'SUCCESS' AND amount <= 100`, [
    mine.merchantId,
  ]);
  await pool.query(`UPDATE payment SET reversed_at = now() WHERE merchant_id = $1 AND status = 'SUCCESS' AND amount <= 20`, [
    mine.merchantId,
  ]);
  const paid = (MANY * 6) / 10;
  expect(await counts()).toEqual({
    ...OF_MANY,
    byStatus: {
      ...OF_MANY.byStatus,
      SUCCESS: exactly(paid - 60),
      PARTLY_REFUNDED: exactly(48),
      REVERSED: exactly(12),
      EXPIRED: exactly(MANY / 10),
      FAILED: exactly(MANY / 10),
    },
  });
  // Whatever statuses a filter names itself.
  expect((await counts({ displayStatuses: ['EXPIRED'] }))?.byStatus.PARTLY_REFUNDED).toEqual(exactly(48));
});
