import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clonePayments, refundEach } from '../testing/clone-payments.ts';
import {
  countTransactions,
  type ListPlace,
  type ListScope,
  listRefunds,
  listTransactions,
  type RefundListFilter,
  type TransactionFilter,
} from './list-transactions.ts';

/* Pages are read by the indexes that lists have, however many payments a merchant has. */

const NOW = new Date('2026-11-20T14:00:00.000Z');
const CHANGES = `jsonb_build_object('created_at', original.created_at - n * interval '1 minute',
  'status', (ARRAY['SUCCESS', 'SUCCESS', 'SUCCESS', 'PENDING', 'FAILED'])[1 + n % 5], 'customer_email', 'c' || n % 900 || '@example.com',
  'amount', 100 + n % 4000)`;
const ANY: TransactionFilter = {
  createdFrom: null,
  createdTo: null,
  states: null,
  customer: null,
  amount: null,
  method: null,
  reference: null,
};

let context: TestPayments;
let scope: ListScope;
beforeAll(async () => {
  context = await openTestPayments();
  // With most of the rows, its own index and that of all merchants would cost the same.
  for (const count of [2_000, 6_000]) {
    const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
    const { paymentId } = await recordPayment(context, merchantId, { createdAt: NOW });
    await clonePayments(context.database, { merchantId, paymentId }, { count, prefix: 'many-', changes: CHANGES });
    scope ??= { merchantId, mode: 'test' };
  }
  await refundEach(context.database);
  await context.database.pool.query('VACUUM (ANALYZE)');
});
afterAll(() => context.close());

/** The scans of the table and of its indexes so far. */
async function countScans(
  table: 'payment' | 'refund' = 'payment',
): Promise<{ readonly sequential: number; readonly byIndex: ReadonlyMap<string, number> }> {
  const { pool } = context.database;
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of clients) {
    await client.query('SELECT pg_stat_force_next_flush()');
    client.release();
  }
  const tables = await pool.query<{ scans: number }>(
    'SELECT seq_scan::int AS scans FROM pg_stat_user_tables WHERE relname = $1',
    [table],
  );
  const indexes = await pool.query<{ name: string; scans: number }>(
    'SELECT indexrelname AS name, idx_scan::int AS scans FROM pg_stat_user_indexes WHERE relname = $1',
    [table],
  );
  return { sequential: tables.rows[0]?.scans ?? 0, byIndex: new Map(indexes.rows.map(({ name, scans }) => [name, scans])) };
}

const FIRST: ListPlace = { kind: 'skip', rows: 0 };
it.each<[string, Partial<TransactionFilter>, ListPlace, string]>([
  ['of all', {}, FIRST, 'payment_by_creation'],
  ['far from the newest', {}, { kind: 'skip', rows: 1_000 }, 'payment_by_creation'],
  ['of a time', { createdFrom: new Date(NOW.getTime() - 3_600_000) }, FIRST, 'payment_by_creation'],
  ['of paid ones', { states: ['paid'] }, FIRST, 'payment_by_creation'],
  ['of failed ones', { states: ['failed'] }, FIRST, 'payment_by_unusual_status'],
  ['of a customer', { customer: { email: 'c7@example.com' } }, FIRST, 'payment_by_email'],
  ['of an amount', { amount: 150n }, FIRST, 'payment_by_amount_and_id'],
  ['of a reference', { reference: 'many-7' }, FIRST, 'payment_merchant_id_mode_merchant_order_id_key'],
])('a page %s is read by an index', async (_, filter, place, index) => {
  const before = await countScans();
  const page = await listTransactions(context.database, scope, { filter: { ...ANY, ...filter }, place, limit: 50 }, NOW);
  expect(page?.items).not.toEqual([]);
  const after = await countScans();
  expect(after.sequential - before.sequential).toBe(0);
  expect(after.byIndex.get(index) ?? 0).toBeGreaterThan(before.byIndex.get(index) ?? 0);
});

it.each<[string, Partial<RefundListFilter>]>([
  ['of all', {}],
  ['of a time', { createdFrom: new Date(NOW.getTime() - 3_600_000) }],
  ['of failed ones', { states: ['FAILED'] }],
])('a page of refunds %s is read by an index', async (_, filter) => {
  const before = await countScans('refund');
  const any = { createdFrom: null, createdTo: null, states: null, paymentId: null };
  const found = await listRefunds(context.database, scope, { filter: { ...any, ...filter }, skipped: 20, limit: 50 }, NOW);
  expect(found).toHaveLength(50);
  const after = await countScans('refund');
  const index = 'refund_merchant_id_mode_created_at_id_idx';
  expect(after.sequential - before.sequential).toBe(0);
  expect(after.byIndex.get(index) ?? 0).toBeGreaterThan(before.byIndex.get(index) ?? 0);
});

it('a number of transactions is counted by an index', async () => {
  const before = await countScans();
  expect(await countTransactions(context.database, scope, { ...ANY, states: ['failed'] })).toBe(400);
  expect((await countScans()).sequential - before.sequential).toBe(0);
});
