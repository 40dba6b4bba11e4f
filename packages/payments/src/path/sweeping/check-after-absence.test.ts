import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { checkAfterAbsence } from './check-after-absence.ts';

const MINUTE_MS = 60_000;

let context: TestPayments;
let merchantId: string;
beforeAll(async () => {
  context = await openTestPayments();
  context.setClock(new Date());
});
beforeEach(async () => {
  ({ merchantId } = await createTestMerchant(context, { 'paystack-main': {} }));
});
afterAll(() => context.close());

/** A payment whose checkout is open, and that is looked up in so many minutes. */
async function opened(minutes: number): Promise<string> {
  const { paymentId } = await recordPayment(context, merchantId);
  const nextCheckAt = new Date(context.now().getTime() + minutes * MINUTE_MS);
  const key = { merchantId_paymentId: { merchantId, paymentId } };
  const data = { nextCheckAt, initiating: false };
  await context.database.prisma.paymentCheck.upsert({ where: key, create: { merchantId, paymentId, ...data }, update: data });
  return paymentId;
}

/** In how many milliseconds it is looked up. */
async function dueIn(paymentId: string, from: Date): Promise<number> {
  const where = { merchantId_paymentId: { merchantId, paymentId } };
  const { nextCheckAt } = await context.database.prisma.paymentCheck.findUniqueOrThrow({ where });
  return nextCheckAt.getTime() - from.getTime();
}

const since = () => new Date(context.now().getTime() - 5 * MINUTE_MS);

test('what is open is looked up within 40 seconds, the newest first, spread evenly', async () => {
  const payments: string[] = [];
  for (let n = 0; n < 4; n++) payments.push(await opened(25));
  const other = await createTestMerchant(context, { 'paystack-main': {} });
  const theirs = await recordPayment(context, other.merchantId);
  const now = context.now();
  expect(await checkAfterAbsence(context, { since: since() })).toBeGreaterThanOrEqual(4);
  const due = await Promise.all(payments.toReversed().map((paymentId) => dueIn(paymentId, now)));
  expect(due).toEqual([10_000, 20_000, 30_000, 40_000]);
  const where = { merchantId_paymentId: { merchantId: other.merchantId, paymentId: theirs.paymentId } };
  const { nextCheckAt } = await context.database.prisma.paymentCheck.findUniqueOrThrow({ where });
  expect(nextCheckAt.getTime() - now.getTime()).toBeLessThanOrEqual(40_000);
});

test('what is due sooner, being initiated, settled, or long over keeps its time', async () => {
  const now = context.now();
  const [soon, initiating, paid, over, plain] = [
    await opened(0.001),
    await opened(25),
    await opened(25),
    await opened(25),
    await opened(25),
  ];
  const { prisma } = context.database;
  await prisma.paymentCheck.updateMany({ where: { paymentId: initiating }, data: { initiating: true } });
  await prisma.payment.updateMany({ where: { id: paid }, data: { status: 'SUCCESS' } });
  await prisma.payment.updateMany({ where: { id: over }, data: { expiresAt: new Date(now.getTime() - 10 * MINUTE_MS) } });
  await checkAfterAbsence(context, { since: since() });
  expect(await Promise.all([soon, initiating, paid, over, plain].map((paymentId) => dueIn(paymentId, now)))).toEqual([
    60,
    25 * MINUTE_MS,
    25 * MINUTE_MS,
    25 * MINUTE_MS,
    expect.toSatisfy((ms: number) => ms <= 40_000),
  ]);
});

test('more than a hundred a second are spread over longer', async () => {
  const paymentId = await opened(25);
  const { database } = context;
  const payment = await database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: paymentId } } });
  // Copies of one payment, as many as take fifty seconds.
  const names = `SELECT quote_ident(column_name) AS name FROM information_schema.columns
    WHERE table_name = 'payment' AND table_schema = 'public' AND column_name NOT IN ('id', 'merchant_order_id') AND is_generated = 'NEVER'`;
  const columns = (await database.pool.query<{ name: string }>(names)).rows.map(({ name }) => name).join(', ');
  const copy = `WITH made AS (SELECT uuidv7() AS new_id FROM generate_series(1, 5000)),
    copied AS (
      INSERT INTO payment (id, merchant_order_id, ${columns})
      SELECT new_id, new_id::text, ${columns} FROM payment CROSS JOIN made WHERE id = $1)
    INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT $2::uuid, new_id, $3::timestamptz + interval '25 minutes', false FROM made`;
  await database.pool.query(copy, [payment.id, merchantId, context.now()]);
  const total = await checkAfterAbsence(context, { since: since() });
  expect(total).toBeGreaterThanOrEqual(5_000);
  const bySecond = `SELECT count(*)::int AS count FROM payment_check WHERE merchant_id = $1 AND next_check_at < $2::timestamptz + interval '10 minutes'
    GROUP BY date_trunc('second', next_check_at)`;
  const { rows } = await database.pool.query<{ count: number }>(bySecond, [merchantId, context.now()]);
  expect(Math.max(...rows.map(({ count }) => count))).toBeLessThanOrEqual(101);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
});
