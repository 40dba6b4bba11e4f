import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPayment } from '../testing/past.ts';
import { findPayment } from './find-payment.ts';
import { findPaymentAnswer } from './payment-answer.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test.each([
  ['findPayment', findPayment],
  ['findPaymentAnswer', findPaymentAnswer],
] as const)('%s finds a payment of the caller’s merchant in the caller’s mode, and no other', async (_, find) => {
  const callerOf = async () => {
    const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
    const configuration = context.resources.configuration.merchant(merchantId);
    if (configuration === undefined) throw new Error('the merchant is not known');
    return { merchantId, configuration };
  };
  const { merchantId, configuration } = await callerOf();
  const stranger = await callerOf();
  const { paymentId } = await recordPayment(context, merchantId);
  const by = async (caller: Parameters<typeof find>[1], id = paymentId) =>
    (await find(context, caller, id, { add: () => undefined }))?.paymentId;
  expect(await by({ configuration, mode: 'test' })).toBe(paymentId);
  expect(await by({ configuration, mode: 'live' })).toBeUndefined();
  expect(await by({ configuration: stranger.configuration, mode: 'test' })).toBeUndefined();
  expect(await by({ configuration, mode: 'test' }, 'none')).toBeUndefined();
});
