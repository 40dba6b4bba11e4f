import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type RefundHarness } from '../life/refund-harness.ts';

/*
 * Options of accounts at Flutterwave, in the whole product: webhooks whose bodies are signed, and refunds that are called completed
 * before they are paid out.
 */

let harness: Harness;
let steps: RefundHarness;
let merchant: TestMerchant;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  steps = openRefundHarness(harness);
  merchant = await harness.merchant({ order: ['flutterwave'] });
  await harness.gateways.register('flutterwave', {
    ...merchant.gatewayKeys.flutterwave,
    webhookUrl: `${harness.publicUrl}/webhooks/flutterwave/${merchant.accounts.flutterwave}`,
    webhookSignature: 'flutterwave-signature',
    refundAnswer: 'completed',
  });
});
afterAll(() => harness.close());

describe('an account at Flutterwave', () => {
  test('whose webhooks are signed over their bodies has its payments proven by them', async () => {
    const { paymentId, reference } = await steps.initiate(merchant, 'flutterwave');
    await harness.gateways.settle('flutterwave', reference, 'success');
    await eventually('the webhook to be delivered', async () => {
      const { webhooks } = await harness.gateways.journal('flutterwave', reference);
      return webhooks.length > 0 && webhooks.every(({ state }) => state === 'delivered') ? webhooks : null;
    });
    await steps.runJobs();
    const { status, timeline } = await steps.payment(paymentId);
    expect([status, timeline.at(-1)?.cause]).toEqual(['SUCCESS', 'gateway_webhook']);
  });

  test('whose refunds are answered completed has them succeed once they are paid out, and not a second time', async () => {
    const payment = await steps.pay(merchant, 'flutterwave');
    const refund = await steps.request(merchant, payment.paymentId, { amount: 1_000 });
    await steps.runJobs();
    await steps.end(payment, 'processed');
    await steps.follow();
    expect(await steps.read(merchant, refund)).toMatchObject({ status: 'SUCCESS', amount: 1_000 });
    expect(await steps.gatewayRefunds(payment)).toMatchObject([{ status: 'processed', amount: 1_000 }]);
    const { status, refundedAmount } = await steps.payment(payment.paymentId);
    expect([status, refundedAmount]).toEqual(['SUCCESS', 1_000n]);
    const types = (await steps.events(payment.paymentId)).map(({ type }) => type);
    expect(types).toEqual(['payment.succeeded', 'refund.succeeded']);
  });
});
