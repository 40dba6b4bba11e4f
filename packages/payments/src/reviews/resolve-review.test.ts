import { createTestMerchant, type TestMerchant } from '@switchyard/merchants/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordMoney } from '../testing/money.ts';
import { type ReviewResolution, resolveReview } from './resolve-review.ts';

const STAFF = { actor: 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', cause: 'staff' } as const;

let context: TestPayments;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
});
afterAll(() => context.close());

interface Reviewed {
  readonly amount?: string;
  readonly status?: 'PENDING' | 'SUCCESS' | 'FAILED';
  readonly review?: 'OPEN' | 'RESOLVED' | null;
}

/** A payment under review, because another amount than its order's was received. */
async function recordReview({ amount = '2600', status = 'PENDING', review = 'OPEN' }: Reviewed = {}) {
  const { merchantId, paymentId } = await recordMoney(context, merchant, { amount, state: 'UNPAID' });
  await context.database.prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: { status, review, reviewReason: review === null ? null : 'amount' },
  });
  return { merchantId, paymentId };
}

const resolve = (of: { merchantId: string; paymentId: string }, by: ReviewResolution['by']) =>
  resolveReview(context, { ...of, by, note: 'Called the customer.' }, STAFF);
const paymentOf = (paymentId: string) =>
  context.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId }, select: { status: true, review: true } });
const refundsOf = (paymentId: string) => context.database.prisma.refund.findMany({ where: { paymentId } });

test('a refund is of whole units, and the remainder is reported', async () => {
  const payment = await recordReview({ amount: '2600.25' });
  expect(await resolve(payment, 'refund')).toMatchObject({ kind: 'requested', refund: { amount: 2_600n }, remainder: '0.25' });
  expect(await resolve(payment, 'refund')).toEqual({ kind: 'nothing_left' });
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
  expect(await paymentOf(payment.paymentId)).toEqual({ status: 'PENDING', review: 'OPEN' });
});

test('less than one unit leaves nothing to refund', async () => {
  const payment = await recordReview({ amount: '0.75' });
  expect([await resolve(payment, 'refund'), await refundsOf(payment.paymentId)]).toEqual([{ kind: 'nothing_left' }, []]);
});

test('money of a payment that was paid since is not refunded here', async () => {
  const payment = await recordReview({ status: 'SUCCESS' });
  expect([await resolve(payment, 'refund'), await refundsOf(payment.paymentId)]).toEqual([{ kind: 'paid_since' }, []]);
});

test('closing fails a pending payment, and leaves every final status as it is', async () => {
  for (const [status, after] of [
    ['PENDING', 'FAILED'],
    ['SUCCESS', 'SUCCESS'],
    ['FAILED', 'FAILED'],
  ] as const) {
    const payment = await recordReview({ status });
    expect(await resolve(payment, 'close')).toEqual({ kind: 'closed' });
    expect(await paymentOf(payment.paymentId)).toEqual({ status: after, review: 'RESOLVED' });
  }
});

test('only an open review is resolved, once, and by its own merchant', async () => {
  const payment = await recordReview();
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  expect(await resolve({ ...payment, merchantId }, 'close')).toEqual({ kind: 'not_found' });
  expect(await resolve({ ...payment, paymentId: 'no-uuid' }, 'close')).toEqual({ kind: 'not_found' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => resolve(payment, 'close')));
  expect(answers.map(({ kind }) => kind).sort()).toEqual(['closed', 'not_open', 'not_open', 'not_open', 'not_open']);
  expect(await resolve(await recordReview({ review: null }), 'close')).toEqual({ kind: 'not_open' });
});
