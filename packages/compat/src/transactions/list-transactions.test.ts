import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clonePayments, refundEach } from '../testing/clone-payments.ts';
import {
  countRefunds,
  countTransactions,
  type ListPlace,
  type ListScope,
  listRefunds,
  listTransactions,
  type RefundListFilter,
  readTotals,
  type TransactionFilter,
} from './list-transactions.ts';
import { stateOf, type TransactionState } from './transaction.ts';

describe('list transactions', () => {
  const NOON = new Date('2026-11-20T11:00:00.000Z');
  const COUNT = 96;
  const ANY: TransactionFilter = {
    createdFrom: null,
    createdTo: null,
    states: null,
    customer: null,
    amount: null,
    method: null,
    reference: null,
  };
  const STATES: readonly TransactionState[] = ['open', 'under_review', 'paid', 'failed', 'reversed'];
  /** Every status with and without a review, with and without money that went back, at times of which some are the same. */
  const CHANGES = `jsonb_build_object('created_at', original.created_at - n / 2 * interval '7 minutes', 'amount', 1000 + n,
  'status', (ARRAY['INITIATED', 'PENDING', 'SUCCESS', 'SUCCESS', 'FAILED', 'REFUNDED'])[1 + n % 6],
  'review', CASE WHEN n % 4 = 1 THEN 'OPEN' END,
  'refunded_amount', CASE n % 5 WHEN 1 THEN 400 ELSE 0 END,
  'reversed_amount', (ARRAY[0, 600 + n, 1000 + n, 5])[1 + n % 4],
  'reversed_at', CASE WHEN n % 4 > 0 THEN original.created_at END,
  'paid_method', (ARRAY['CARD', NULL, 'TRANSFER'])[1 + n % 3],
  'customer_email', (ARRAY['ada@example.com', 'ADA@example.com', 'obi@example.com'])[1 + n % 3])`;

  let context: TestPayments;
  let scope: ListScope;
  beforeAll(async () => {
    context = await openTestPayments();
    const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
    const other = await createTestMerchant(context, { 'paystack-main': {} });
    scope = { merchantId, mode: 'test' };
    const { paymentId } = await recordPayment(context, merchantId, { createdAt: NOON });
    await clonePayments(context.database, { merchantId, paymentId }, { count: COUNT, prefix: 'many-', changes: CHANGES });
    const live = `jsonb_build_object('mode', 'live')`;
    await clonePayments(context.database, { merchantId, paymentId }, { count: 3, prefix: 'live-', changes: live });
    await recordPayment(context, other.merchantId, { createdAt: NOON });
  });
  afterAll(() => context.close());

  const list = (filter: Partial<TransactionFilter>, place: ListPlace = { kind: 'skip', rows: 0 }, limit = 100) =>
    listTransactions(context.database, scope, { filter: { ...ANY, ...filter }, place, limit }, context.now());
  const count = (filter: Partial<TransactionFilter>) => countTransactions(context.database, scope, { ...ANY, ...filter });
  const idsOf = (page: Awaited<ReturnType<typeof list>>) => (page?.items ?? []).map(({ paymentId }) => paymentId);

  /** The ids of the merchant's payments that are transactions, newest first, by a statement of the test's own. */
  async function stored(where = 'true', values: readonly unknown[] = []): Promise<string[]> {
    const { rows } = await context.database.pool.query<{ id: string }>(
      `SELECT id FROM payment WHERE merchant_id = $1 AND mode = 'test' AND status <> 'INITIATED' AND ${where}
     ORDER BY created_at DESC, id DESC`,
      [scope.merchantId, ...values],
    );
    return rows.map(({ id }) => id);
  }

  describe('a list of transactions', () => {
    it('has the merchant’s transactions of the mode, newest first, and none whose checkout was not opened', async () => {
      const ids = await stored();
      expect(ids).toHaveLength((COUNT * 5) / 6 + 1);
      expect(idsOf(await list({}))).toEqual(ids);
      expect(await count({})).toBe(ids.length);
      const live = await listTransactions(
        context.database,
        { ...scope, mode: 'live' },
        { filter: ANY, place: { kind: 'skip', rows: 0 }, limit: 100 },
        context.now(),
      );
      expect(live?.items.map(({ mode, reference }) => [mode, reference]).toSorted()).toEqual(
        [1, 2, 3].map((n) => ['live', `live-${n}`]),
      );
    });

    it('gives each row once by numbered pages and by cursors, forwards and back', async () => {
      const ids = await stored();
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 7, max: 90 }), async (limit) => {
          const numbered: string[] = [];
          for (let rows = 0; rows < ids.length; rows += limit)
            numbered.push(...idsOf(await list({}, { kind: 'skip', rows }, limit)));
          expect(numbered).toEqual(ids);
          let page = await list({}, { kind: 'skip', rows: 0 }, limit);
          expect(page?.hasNewer).toBe(false);
          const pages = [idsOf(page)];
          while (page?.hasOlder === true) {
            page = await list({}, { kind: 'after', number: page.items.at(-1)?.number ?? 0 }, limit);
            expect(page?.hasNewer).toBe(true);
            pages.push(idsOf(page));
          }
          expect(pages.flat()).toEqual(ids);
          for (const earlier of pages.slice(0, -1).toReversed()) {
            page = await list({}, { kind: 'before', number: page?.items[0]?.number ?? 0 }, limit);
            expect(idsOf(page)).toEqual(earlier);
            expect(page?.hasOlder).toBe(true);
          }
          expect(page?.hasNewer).toBe(false);
        }),
        { numRuns: 4 },
      );
      expect(await list({}, { kind: 'after', number: 7 })).toBeNull();
    });

    it('is divided by the states, and each filter finds what has the state', async () => {
      const all = await list({});
      for (const state of STATES) {
        const expected = (all?.items ?? [])
          .filter((transaction) => stateOf(transaction) === state)
          .map(({ paymentId }) => paymentId);
        expect(expected, state).not.toEqual([]);
        expect(idsOf(await list({ states: [state] })), state).toEqual(expected);
        expect(await count({ states: [state] }), state).toBe(expected.length);
      }
      expect(idsOf(await list({ states: [...STATES] }))).toEqual(idsOf(all));
      expect([idsOf(await list({ states: [] })), await count({ states: [] })]).toEqual([[], 0]);
    });

    it('is narrowed by time, amount, method and reference as SQL is', async () => {
      const [from, to] = [new Date(NOON.getTime() - 200 * 60_000), new Date(NOON.getTime() - 20 * 60_000)];
      for (const [filter, where, values] of [
        [{ createdFrom: from, createdTo: to }, 'created_at >= $2 AND created_at < $3', [from, to]],
        [{ createdFrom: from }, 'created_at >= $2', [from]],
        [{ amount: 1_010n }, 'amount = $2', [1_010]],
        [{ method: 'TRANSFER' }, 'COALESCE(paid_method, payment_method) = $2', ['TRANSFER']],
        [{ reference: 'many-10' }, 'merchant_order_id = $2', ['many-10']],
        [{ reference: 'a\0b' }, 'false AND $2 = $2', ['']],
      ] as const) {
        const ids = await stored(where, values);
        expect(idsOf(await list(filter))).toEqual(ids);
        expect(await count(filter)).toBe(ids.length);
      }
    });

    it('of a customer has all with the address in any case, by the number that each of them shows', async () => {
      const ids = await stored(`lower(customer_email) = 'ada@example.com'`);
      const all = (await list({}))?.items ?? [];
      const numbers = new Set(
        all.filter(({ email }) => email.toLowerCase() === 'ada@example.com').map((one) => one.customerNumber),
      );
      const [number = 0] = numbers;
      expect(numbers.size).toBe(1);
      expect(new Set(all.map(({ customerNumber }) => customerNumber)).size).toBe(2);
      expect(idsOf(await list({ customer: { number } }))).toEqual(ids);
      expect(idsOf(await list({ customer: { email: 'Ada@Example.com' } }))).toEqual(ids);
      expect([idsOf(await list({ customer: { number: 7 } })), await count({ customer: { number: 7 } })]).toEqual([[], 0]);
    });

    it('shows the number of a customer for ever, and that of another merchant or mode finds no one', async () => {
      const [first] = (await list({ customer: { email: 'obi@example.com' } }))?.items ?? [];
      const number = first?.customerNumber ?? 0;
      const { merchantId, paymentId } = { ...scope, paymentId: first?.paymentId ?? '' };
      const changes = `jsonb_build_object('created_at', original.created_at + interval '1 day')`;
      await clonePayments(context.database, { merchantId, paymentId }, { count: 1, prefix: 'later-', changes });
      const [newest] = (await list({ customer: { email: 'obi@example.com' } }))?.items ?? [];
      expect([newest?.reference, newest?.customerNumber]).toEqual(['later-1', number]);
      const part = { filter: { ...ANY, customer: { number } }, place: { kind: 'skip', rows: 0 }, limit: 5 } as const;
      const live = await listTransactions(context.database, { ...scope, mode: 'live' }, part, context.now());
      expect(live?.items).toEqual([]);
    });
  });

  describe('totals', () => {
    it('are those of SQL for any time, to the millisecond', async () => {
      const moment = fc
        .integer({ min: -400, max: 60 })
        .map((minutes) => new Date(NOON.getTime() + minutes * 60_000 + (minutes % 3)));
      await fc.assert(
        fc.asyncProperty(fc.option(moment), fc.option(moment), async (createdFrom, createdTo) => {
          const { rows } = await context.database.pool.query<{ transactions: string; paid: string; amount: string }>(
            `SELECT count(*) AS transactions, count(*) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')) AS paid,
             coalesce(sum(amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')), 0) AS amount
           FROM payment WHERE merchant_id = $1 AND mode = 'test' AND status <> 'INITIATED'
             AND created_at >= coalesce($2, '-infinity'::timestamptz) AND created_at < coalesce($3, 'infinity'::timestamptz)`,
            [scope.merchantId, createdFrom, createdTo],
          );
          const expected = { transactions: Number(rows[0]?.transactions), paid: Number(rows[0]?.paid) };
          const totals = await readTotals(context.database, scope, { createdFrom, createdTo });
          expect(totals).toEqual(
            expected.transactions === 0 ? [] : [{ currency: 'NGN', ...expected, paidAmount: BigInt(rows[0]?.amount ?? 0) }],
          );
          expect(await count({ createdFrom, createdTo })).toBe(expected.transactions);
        }),
        { numRuns: 30 },
      );
    });
  });
});

describe('list refunds', () => {
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
});
