import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markRefundSent } from '../refunds/due-refunds.ts';
import { requestRefund } from '../refunds/request-refund.ts';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPaidPayment } from '../testing/past.ts';
import { changeRefund, findRefund } from './refund-queries.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test('a result that was decided on an older version of a refund is not written', async () => {
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  const { paymentId } = await recordPaidPayment(context, merchantId);
  const refundId = context.newId();
  const order = { refundId, merchantId, mode: null, paymentId, amount: 1_000n, reason: null };
  await requestRefund(context, { ...order, actor: 'merchant', cause: 'api' });
  const refund = async () => {
    const found = await findRefund(context.database, merchantId, refundId);
    if (found === null) throw new Error('the refund is gone');
    return found;
  };
  const { prisma } = context.database;
  const before = await refund();
  const now = context.now();
  expect(await markRefundSent(context.database, { merchantId, refundId }, { now, nextCheckAt: now })).toBe(true);
  const fail = async (from: typeof before) => prisma.$transaction((tx) => changeRefund(tx, from, { state: 'FAILED' }, now));
  expect(await fail(before)).toBe(false);
  expect(await refund()).toMatchObject({ state: 'PROCESSING', version: before.version + 1 });
  expect(await fail(await refund())).toBe(true);
  expect(await refund()).toMatchObject({ state: 'FAILED', version: before.version + 2 });
});
