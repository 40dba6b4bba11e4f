import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPaidPayment } from '../testing/past.ts';
import { type RefundRequest, requestRefund } from './request-refund.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

let merchantId: string;
let paymentId: string;
beforeEach(async () => {
  ({ merchantId } = await createTestMerchant(context, { 'paystack-main': {} }));
  ({ paymentId } = await recordPaidPayment(context, merchantId));
});

const request = (changes: Partial<RefundRequest> = {}) =>
  requestRefund(context, {
    refundId: context.newId(),
    merchantId,
    mode: 'test',
    paymentId,
    amount: 'full',
    reason: null,
    actor: 'merchant',
    cause: 'api',
    ...changes,
  });
const refunds = () => context.database.prisma.refund.findMany({ where: { merchantId }, orderBy: { id: 'asc' } });
const change = (data: { status?: 'PENDING' | 'FAILED'; reversedAmount?: string; reversedAt?: Date; reversalCause?: string }) =>
  context.database.prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data });

test('refunds never exceed what was paid, and nothing is refunded once all of it is', async () => {
  expect(await request({ amount: 2_501n })).toEqual({ kind: 'too_much', refundable: 2_500n });
  expect(await request({ amount: 2_000n })).toMatchObject({ kind: 'requested', refund: { amount: 2_000n } });
  expect(await request({ amount: 501n })).toEqual({ kind: 'too_much', refundable: 500n });
  expect(await request()).toMatchObject({ kind: 'requested', refund: { amount: 500n } });
  expect(await request()).toEqual({ kind: 'too_much', refundable: 0n });
  expect((await refunds()).map(({ amount }) => amount)).toEqual([2_000n, 500n]);
});

test('of refunds of the whole at the same time one is recorded', async () => {
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => request()));
  expect(outcomes.filter(({ kind }) => kind === 'requested')).toHaveLength(1);
  expect(await refunds()).toHaveLength(1);
});

test('money of a refund that failed is free again', async () => {
  await request();
  await context.database.prisma.refund.updateMany({ where: { merchantId }, data: { state: 'FAILED' } });
  expect(await request()).toMatchObject({ kind: 'requested', refund: { amount: 2_500n } });
});

test('a refund at another account, whose gateway numbers its transactions alike, takes nothing of it', async () => {
  expect(await request({ amount: 2_000n })).toMatchObject({ kind: 'requested' });
  await context.database.prisma.refund.updateMany({ where: { merchantId }, data: { accountId: context.newId() } });
  expect(await request()).toMatchObject({ kind: 'requested', refund: { amount: 2_500n } });
});

test('a request that is repeated is the same refund, and its id belongs to that payment alone', async () => {
  const refundId = context.newId();
  expect(await request({ refundId, amount: 700n })).toMatchObject({ kind: 'requested', refund: { id: refundId } });
  expect(await request({ refundId, amount: 700n })).toMatchObject({ kind: 'requested', refund: { id: refundId } });
  const other = await recordPaidPayment(context, merchantId);
  expect(await request({ refundId, amount: 700n, paymentId: other.paymentId })).toEqual({ kind: 'not_found' });
  expect(await refunds()).toHaveLength(1);
});

test('a payment of another mode, of another merchant, or that is none is not found', async () => {
  const stranger = await createTestMerchant(context, {});
  expect(await request({ mode: 'live' })).toEqual({ kind: 'not_found' });
  expect(await request({ merchantId: stranger.merchantId })).toEqual({ kind: 'not_found' });
  expect(await request({ paymentId: 'none' })).toEqual({ kind: 'not_found' });
  expect(await request({ mode: null })).toMatchObject({ kind: 'requested' });
});

test.each(['PENDING', 'FAILED'] as const)('a payment that is %s has no money to refund', async (status) => {
  await change({ status });
  expect(await request()).toEqual({ kind: 'not_paid', status });
  expect(await refunds()).toEqual([]);
});

test('what the gateway took back is not refunded as well', async () => {
  await change({ reversedAmount: '1000.5', reversedAt: context.now(), reversalCause: 'chargeback' });
  expect(await request({ amount: 1_500n })).toEqual({ kind: 'too_much', refundable: 1_499n });
  expect(await request()).toMatchObject({ kind: 'requested', refund: { amount: 1_499n } });
});

test('the money of the payment is refunded, and not that of a second charge', async () => {
  const [first] = await context.database.prisma.attempt.findMany({ where: { merchantId, paymentId } });
  if (first === undefined) throw new Error('the payment has no attempt');
  const { position, createdAt, updatedAt, accountId, gateway } = first;
  await context.database.prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: first.id } },
    data: { position: position + 1 },
  });
  await context.database.prisma.attempt.create({
    data: {
      merchantId,
      id: context.newId(),
      paymentId,
      position,
      accountId,
      gateway,
      reference: 'second',
      state: 'PAID',
      duplicate: true,
      receivedAmount: 2_500,
      receivedCurrency: 'NGN',
      transactionId: 'second',
      createdAt,
      updatedAt,
    },
  });
  expect(await request()).toMatchObject({ kind: 'requested', refund: { transactionId: first.transactionId } });
});
