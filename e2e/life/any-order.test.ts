import { type ClaimedWebhook, followUpWebhook } from '@switchyard/payments/gateway-webhooks';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAIR } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type PaidPayment, type RefundHarness } from './refund-harness.ts';

/*
 * A payment that was paid at its gateway, and refunded there at our request. Whichever process reads the result first, and whatever
 * is delivered twice or never, the final state is the same.
 */

const HAPPENINGS = ['payment_webhook', 'verify', 'sweep', 'ask_for_refund', 'send', 'refund_webhook', 'follow'] as const;
type Happening = (typeof HAPPENINGS)[number];

let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
  refundHarness = openRefundHarness(harness);
});
afterAll(() => harness.close());

async function happen(payment: PaidPayment, what: Happening): Promise<unknown> {
  const { paymentId } = payment;
  switch (what) {
    case 'payment_webhook': {
      const attempt = (await refundHarness.payment(paymentId)).attempts[0];
      return followUp(payment, { kind: 'payment', attemptId: attempt?.id ?? '' });
    }
    case 'verify':
      return harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant.testKey });
    case 'sweep':
      return refundHarness.sweep();
    case 'ask_for_refund':
      return refundHarness.postRefund(merchant, paymentId);
    case 'send':
      return refundHarness.runJobs();
    case 'refund_webhook':
      return followUp(payment, { kind: 'refund', gatewayRefundId: null });
    case 'follow':
      return refundHarness.follow();
    default:
      return what satisfies never;
  }
}

/** Follows up a gateway's webhook about the payment. */
function followUp({ gateway, reference }: PaidPayment, about: ClaimedWebhook['followUp']): Promise<void> {
  const webhookId = harness.switchyard.payments.newId();
  const webhook = { merchantId: merchant.merchantId, webhookId, accountId: merchant.accounts[gateway] ?? '', reference };
  return followUpWebhook(harness.switchyard.payments, { ...webhook, transactionId: null, followUp: about, tries: 1 });
}

/** The final state, without fields that depend on the time or number of look-ups. */
async function endOf(payment: PaidPayment) {
  const { status, refundedAmount, late, review, timeline } = await refundHarness.payment(payment.paymentId);
  const refunds = await harness.database.prisma.refund.findMany({ where: { paymentId: payment.paymentId } });
  return {
    status,
    refundedAmount,
    late,
    review,
    types: timeline.map(({ type }) => type).filter((type) => type !== 'payment.initiated' && type !== 'payment.pending'),
    events: (await refundHarness.events(payment.paymentId)).map(({ type }) => type),
    refunds: refunds.map(({ state, amount }) => [state, amount]),
    duplicates: await harness.database.prisma.duplicateCharge.count({ where: { paymentId: payment.paymentId } }),
    books: (await refundHarness.gatewayRefunds(payment)).map((refund) => refund.status),
  };
}

describe.each(PAIR)('at %s', (gateway) => {
  test('every order of webhooks, look-ups and requests, with repeats, ends in the same state', async () => {
    const orders = fc
      .tuple(
        fc.shuffledSubarray([...HAPPENINGS], { minLength: HAPPENINGS.length }),
        fc.array(fc.constantFrom(...HAPPENINGS), { maxLength: 5 }),
      )
      .map(([every, repeated]) => [...every, ...repeated]);
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const payment = await refundHarness.initiate(merchant, gateway);
        await harness.gateways.settle(gateway, payment.reference, 'success');
        for (const what of order) await happen(payment, what);
        // Steps that came too early are repeated: the merchant requests again, and the worker verifies again.
        for (const what of ['verify', 'ask_for_refund', 'send'] as const) await happen(payment, what);
        const [refund] = await refundHarness.gatewayRefunds(payment);
        if (refund?.status === 'pending') await refundHarness.end(payment, 'processed');
        await refundHarness.follow();
        expect(await endOf(payment)).toEqual({
          status: 'REFUNDED',
          refundedAmount: 2_500n,
          late: false,
          review: null,
          duplicates: 0,
          types: ['payment.succeeded', 'refund.requested', 'refund.succeeded', 'payment.refunded'],
          events: ['payment.succeeded', 'refund.succeeded', 'payment.refunded'],
          refunds: [['SUCCEEDED', 2_500n]],
          books: ['processed'],
        });
      }),
      { numRuns: 25 },
    );
    expect(refundHarness.errors).toEqual([]);
  });
});
