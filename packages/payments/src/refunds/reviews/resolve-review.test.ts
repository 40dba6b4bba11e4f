import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listReviews } from '../../lists/list-refunds.ts';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordMoney } from '../../testing/past.ts';
import { settleRefund } from '../settle-refund.ts';
import { resolveReview } from './resolve-review.ts';

const STAFF = { actor: 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', cause: 'staff' } as const;

const REPORTED = { kind: 'reported', gatewayRefundId: null, message: null } as const;
const PAGE = { after: null, limit: 10, mode: 'test' } as const;

let context: TestPayments;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
});
afterAll(() => context.close());

interface Reviewed {
  readonly amount?: string;
  readonly status?: 'PENDING' | 'SUCCESS' | 'FAILED';
  readonly review?: 'OPEN' | 'RESOLVED' | null;
}

/** A payment under review, because another amount than its order's was received. */
async function recordReview({ amount = '2600', status = 'PENDING', review = 'OPEN' }: Reviewed = {}) {
  const { merchantId, paymentId, attemptId } = await recordMoney(context, merchant, { amount, state: 'UNPAID' });
  await context.database.prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: { status, review, reviewReason: review === null ? null : 'amount' },
  });
  return { merchantId, paymentId, attemptId };
}

/** A payment under review of which a second attempt, at another account, received another amount than asked as well. */
async function recordTwo() {
  const { merchantId, paymentId, attemptId: first } = await recordReview({ amount: '2600' });
  const { prisma } = context.database;
  const { id, ...attempt } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const second = context.newId();
  await prisma.attempt.create({
    data: {
      ...attempt,
      id: second,
      position: 2,
      accountId: context.newId(),
      gateway: 'flutterwave',
      reference: `r-${second}`,
      transactionId: `t-${second}`,
      receivedAmount: '2000',
    },
  });
  return { merchantId, paymentId, first, second };
}

interface Key {
  readonly merchantId: string;
  readonly paymentId: string;
}

const note = 'Called the customer.';
const refund = ({ merchantId, paymentId }: Key, attemptId: string, amount: bigint) =>
  resolveReview(context, { merchantId, paymentId, note, by: 'refund', attemptId, amount }, STAFF);
const close = ({ merchantId, paymentId }: Key, attemptIds: readonly string[]) =>
  resolveReview(context, { merchantId, paymentId, note, by: 'close', attemptIds }, STAFF);
const paymentOf = (paymentId: string) =>
  context.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId }, select: { status: true, review: true } });
/** The gateway's answer about a refund that has been sent. */
async function end(refund: Awaited<ReturnType<typeof refundsOf>>[number] | undefined, state: 'SUCCEEDED' | 'FAILED') {
  if (refund === undefined) throw new Error('there is no refund to end');
  const sent = await settleRefund(context, refund, { ...REPORTED, state: 'PROCESSING' }, 'schedule');
  await settleRefund(context, sent, { ...REPORTED, state }, 'schedule');
}
const refundsOf = (paymentId: string) =>
  context.database.prisma.refund.findMany({ where: { paymentId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

test('a refund is of whole units, and the remainder is reported', async () => {
  const payment = await recordReview({ amount: '2600.25' });
  expect(await refund(payment, payment.attemptId, 2_600n)).toMatchObject({
    kind: 'requested',
    refund: { amount: 2_600n },
    remainder: '0.25',
  });
  expect(await refund(payment, payment.attemptId, 2_600n)).toEqual({ kind: 'nothing_left' });
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
  expect(await paymentOf(payment.paymentId)).toEqual({ status: 'PENDING', review: 'OPEN' });
});

test('less than one unit leaves nothing to refund', async () => {
  const payment = await recordReview({ amount: '0.75' });
  expect([await refund(payment, payment.attemptId, 0n), await refundsOf(payment.paymentId)]).toEqual([
    { kind: 'nothing_left' },
    [],
  ]);
});

test('money of a payment that was paid since is not refunded here', async () => {
  const payment = await recordReview({ status: 'SUCCESS' });
  expect([await refund(payment, payment.attemptId, 2_600n), await refundsOf(payment.paymentId)]).toEqual([
    { kind: 'paid_since' },
    [],
  ]);
});

test('closing fails a pending payment, and leaves every final status as it is', async () => {
  for (const [status, after] of [
    ['PENDING', 'FAILED'],
    ['SUCCESS', 'SUCCESS'],
    ['FAILED', 'FAILED'],
  ] as const) {
    const payment = await recordReview({ status });
    expect(await close(payment, [payment.attemptId])).toEqual({ kind: 'closed' });
    expect(await paymentOf(payment.paymentId)).toEqual({ status: after, review: 'RESOLVED' });
  }
});

test('only an open review is resolved, once, and by its own merchant', async () => {
  const payment = await recordReview();
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  expect(await close({ ...payment, merchantId }, [payment.attemptId])).toEqual({ kind: 'not_found' });
  expect(await close({ ...payment, paymentId: 'no-uuid' }, [payment.attemptId])).toEqual({ kind: 'not_found' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => close(payment, [payment.attemptId])));
  expect(answers.map(({ kind }) => kind).sort()).toEqual(['closed', 'not_open', 'not_open', 'not_open', 'not_open']);
  expect(await close(await recordReview({ review: null }), [])).toEqual({ kind: 'not_open' });
});

describe('two mismatched amounts of one payment', () => {
  test('are listed with their own gateways, references and amounts', async () => {
    const { paymentId, first, second } = await recordTwo();
    const list = await listReviews(context, { ...PAGE, search: paymentId, merchantIds: [merchant.merchantId] });
    expect(list.items).toHaveLength(1);
    expect(list.items[0]).toMatchObject({
      refunding: false,
      mismatched: [
        { attemptId: first, gateway: 'paystack', receivedAmount: '2600', receivedCurrency: 'NGN', refundable: 2_600n },
        { attemptId: second, gateway: 'flutterwave', reference: `r-${second}`, receivedAmount: '2000', refundable: 2_000n },
      ],
    });
  });

  test('are refunded each by the decision that names it, once, whatever the order', async () => {
    const payment = await recordTwo();
    expect(await refund(payment, payment.second, 2_000n)).toMatchObject({
      kind: 'requested',
      refund: { gateway: 'flutterwave' },
    });
    expect(await refund(payment, payment.second, 2_000n)).toEqual({ kind: 'nothing_left' });
    const clicks = await Promise.all(Array.from({ length: 5 }, () => refund(payment, payment.first, 2_600n)));
    expect(clicks.map(({ kind }) => kind).sort()).toEqual([...Array(4).fill('nothing_left'), 'requested']);
    expect((await refundsOf(payment.paymentId)).map(({ attemptId, amount }) => [attemptId, amount])).toEqual([
      [payment.second, 2_000n],
      [payment.first, 2_600n],
    ]);
  });

  test('keep the review open until both were returned, also when the refund of the other fails', async () => {
    const payment = await recordTwo();
    await refund(payment, payment.first, 2_600n);
    await refund(payment, payment.second, 2_000n);
    const [first, second] = await refundsOf(payment.paymentId);
    await end(first, 'SUCCEEDED');
    expect(await paymentOf(payment.paymentId)).toEqual({ status: 'PENDING', review: 'OPEN' });
    await end(second, 'FAILED');
    expect(await paymentOf(payment.paymentId)).toEqual({ status: 'PENDING', review: 'OPEN' });
    expect(await refund(payment, payment.first, 2_600n)).toEqual({ kind: 'nothing_left' });
    expect(await refund(payment, payment.second, 2_000n)).toMatchObject({ kind: 'requested' });
    await end((await refundsOf(payment.paymentId)).at(-1), 'SUCCEEDED');
    expect(await paymentOf(payment.paymentId)).toEqual({ status: 'FAILED', review: 'RESOLVED' });
  });

  test('are closed together by a decision that names both, and not by one that knew of one', async () => {
    const payment = await recordTwo();
    expect(await close(payment, [payment.first])).toEqual({ kind: 'changed' });
    expect(await paymentOf(payment.paymentId)).toEqual({ status: 'PENDING', review: 'OPEN' });
    expect(await close(payment, [payment.second, payment.first])).toEqual({ kind: 'closed' });
  });

  test('one is refunded and the other left: the review is closed once the refund has ended', async () => {
    const payment = await recordTwo();
    await refund(payment, payment.first, 2_600n);
    expect(await close(payment, [payment.second])).toEqual({ kind: 'refunding' });
    await end((await refundsOf(payment.paymentId))[0], 'SUCCEEDED');
    expect(await close(payment, [payment.second])).toEqual({ kind: 'closed' });
    expect(await paymentOf(payment.paymentId)).toEqual({ status: 'FAILED', review: 'RESOLVED' });
  });

  test('another amount than the decision names is not refunded', async () => {
    const payment = await recordTwo();
    expect(await refund(payment, payment.first, 2_000n)).toEqual({ kind: 'changed' });
    expect(await refundsOf(payment.paymentId)).toEqual([]);
  });
});
