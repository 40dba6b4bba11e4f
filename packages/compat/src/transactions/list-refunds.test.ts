import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clonePayments, refundEach } from '../testing/clone-payments.ts';
import { countRefunds, listRefunds, type RefundListFilter } from './list-refunds.ts';
import type { ListScope } from './list-transactions.ts';

const NOON = new Date('2026-11-20T11:00:00.000Z');
const ANY: RefundListFilter = { createdFrom: null, createdTo: null, states: null, paymentId: null };

let context: TestPayments;
let scope: ListScope;
beforeAll(async () => {
  context = await openTestPayments();
  for (const count of [120, 60]) {
    const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
    const { paymentId } = await recordPayment(context, merchantId, { createdAt: NOON });
    const changes = `jsonb_build_object('created_at', original.created_at - n * interval '1 minute',
      'mode', CASE WHEN n % 10 = 0 THEN 'live' ELSE 'test' END)`;
    await clonePayments(context.database, { merchantId, paymentId }, { count, prefix: 'many-', changes });
    scope ??= { merchantId, mode: 'test' };
  }
  await refundEach(context.database);
});
afterAll(() => context.close());

const list = (filter: Partial<RefundListFilter>, skipped = 0, limit = 100) =>
  listRefunds(context.database, scope, { filter: { ...ANY, ...filter }, skipped, limit }, context.now());
const count = (filter: Partial<RefundListFilter>) => countRefunds(context.database, scope, { ...ANY, ...filter });

/** The references of the payments of the merchant's refunds of the mode, newest first. */
async function stored(where = 'true', values: readonly unknown[] = []): Promise<string[]> {
  const { rows } = await context.database.pool.query<{ reference: string }>(
    `SELECT payment.merchant_order_id AS reference FROM refund AS p JOIN payment ON payment.merchant_id = p.merchant_id AND payment.id = p.payment_id
     WHERE p.merchant_id = $1 AND p.mode = 'test' AND ${where} ORDER BY p.created_at DESC, p.id DESC`,
    [scope.merchantId, ...values],
  );
  return rows.map(({ reference }) => reference);
}
const referencesOf = (rows: Awaited<ReturnType<typeof list>>) => rows.map(({ transaction }) => transaction.reference);

it('has the merchant’s refunds of the mode with their payments, newest first, each once, and a number of its own', async () => {
  const references = await stored();
  const found = [];
  for (let skipped = 0; skipped < references.length; skipped += 100) found.push(...(await list({}, skipped)));
  expect(referencesOf(found)).toEqual(references);
  expect(new Set(found.map(({ refund }) => refund.number)).size).toBe(references.length);
  expect(new Set(found.map(({ transaction }) => transaction.mode))).toEqual(new Set(['test']));
  expect(await count({})).toBe(references.length);
  expect(await list({}, references.length)).toEqual([]);
});

it('is narrowed by time, state and payment as SQL is', async () => {
  const [from, to] = [new Date(NOON.getTime() - 90 * 60_000), new Date(NOON.getTime() - 70 * 60_000)];
  const { paymentId } = (await list({}, 5, 1))[0]?.transaction ?? { paymentId: '' };
  const of = { createdFrom: from, createdTo: to } as const;
  for (const [filter, where, values] of [
    [of, 'p.created_at >= $2 AND p.created_at < $3', [from, to]],
    [{ ...of, states: ['FAILED'] }, "p.created_at >= $2 AND p.created_at < $3 AND p.state = 'FAILED'", [from, to]],
    [
      { ...of, states: ['REQUESTED', 'PROCESSING'] },
      "p.created_at >= $2 AND p.created_at < $3 AND p.state IN ('REQUESTED', 'PROCESSING')",
      [from, to],
    ],
    [{ paymentId }, 'p.payment_id = $2', [paymentId]],
    [{ states: [] }, 'false', []],
  ] as const) {
    const references = await stored(where, values);
    expect(referencesOf(await list(filter))).toEqual(references);
    expect(await count(filter)).toBe(references.length);
  }
  expect(referencesOf(await list({ paymentId }))).toHaveLength(3);
});
