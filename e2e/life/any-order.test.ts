import { followUpWebhook } from '@switchyard/payments/gateway-webhooks';
import { followUpRefundWebhook } from '@switchyard/payments/refunds';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GATEWAYS } from '../harness/gateways.ts';
import { type House, startHouse } from '../harness/harness.ts';
import type { HouseMerchant } from '../harness/merchants.ts';
import { type PaidPayment, type RefundDesk, refundDesk } from './refund-desk.ts';

/*
 * A payment that was paid at its gateway, and refunded there at our asking. Whoever hears of it first, whatever is delivered twice
 * or never, it ends the same.
 */

const HAPPENINGS = ['payment_webhook', 'verify', 'sweep', 'ask_for_refund', 'send', 'refund_webhook', 'follow'] as const;
type Happening = (typeof HAPPENINGS)[number];

let house: House;
let merchant: HouseMerchant;
let desk: RefundDesk;
beforeAll(async () => {
  house = await startHouse({ worker: false });
  merchant = await house.merchant();
  desk = refundDesk(house);
});
afterAll(() => house.close());

async function happen(payment: PaidPayment, what: Happening): Promise<unknown> {
  const { paymentId } = payment;
  const { merchantId } = merchant;
  switch (what) {
    case 'payment_webhook': {
      const attempt = (await desk.payment(paymentId)).attempts[0];
      const key = { merchantId, attemptId: attempt?.id ?? '', webhookId: await webhookOf(payment) };
      return followUpWebhook(house.switchyard.payments, key);
    }
    case 'verify':
      return house.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant.testKey });
    case 'sweep':
      return desk.sweep();
    case 'ask_for_refund':
      return desk.ask(merchant, paymentId);
    case 'send':
      return desk.work();
    case 'refund_webhook': {
      const webhookId = await webhookOf(payment);
      return followUpRefundWebhook(house.switchyard.payments, { merchantId, webhookId, gatewayRefundId: null });
    }
    case 'follow':
      return desk.follow();
    default: {
      const never: never = what;
      return never;
    }
  }
}

/** A delivery on record that speaks of the payment. */
async function webhookOf({ paymentId, gateway, reference }: PaidPayment): Promise<string> {
  const { merchantId } = merchant;
  const { prisma } = house.database;
  const id = house.switchyard.payments.newId();
  const row = { merchantId, id, accountId: merchant.accounts[gateway], gateway, dedupeKey: id, event: 'test', reference };
  await prisma.gatewayWebhook.create({ data: { ...row, body: paymentId, state: 'RECEIVED', receivedAt: new Date() } });
  return id;
}

/** What it came to: everything that does not tell when or how often somebody looked. */
async function endOf(payment: PaidPayment) {
  const { status, refundedAmount, late, review, timeline } = await desk.payment(payment.paymentId);
  const refunds = await house.database.prisma.refund.findMany({ where: { paymentId: payment.paymentId } });
  return {
    ...{ status, refundedAmount, late, review },
    types: timeline.map(({ type }) => type),
    events: (await desk.events(payment.paymentId)).map(({ type }) => type),
    refunds: refunds.map(({ state, amount }) => [state, amount]),
    duplicates: await house.database.prisma.duplicateCharge.count({ where: { paymentId: payment.paymentId } }),
    books: (await desk.books(payment)).map((refund) => refund.status),
  };
}

describe.each(GATEWAYS)('at %s', (gateway) => {
  test('every order of what is heard and done, with repeats, ends the same', { timeout: 120_000 }, async () => {
    const orders = fc
      .tuple(
        fc.shuffledSubarray([...HAPPENINGS], { minLength: HAPPENINGS.length }),
        fc.array(fc.constantFrom(...HAPPENINGS), { maxLength: 5 }),
      )
      .map(([every, repeated]) => [...every, ...repeated]);
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const payment = await desk.initiate(merchant, gateway);
        await house.gateways.settle(gateway, payment.reference, 'success');
        for (const what of order) await happen(payment, what);
        // Whatever came too early is done in the end: the merchant asks again, and the worker goes on looking.
        for (const what of ['verify', 'ask_for_refund', 'send'] as const) await happen(payment, what);
        const [refund] = await desk.books(payment);
        if (refund?.status === 'pending') await desk.end(payment, 'processed');
        await desk.follow();
        expect(await endOf(payment)).toEqual({
          ...{ status: 'REFUNDED', refundedAmount: 2_500n, late: false, review: null, duplicates: 0 },
          types: [
            ...['payment.initiated', 'payment.pending', 'payment.succeeded', 'refund.requested', 'refund.succeeded'],
            'payment.refunded',
          ],
          events: ['payment.succeeded', 'refund.succeeded', 'payment.refunded'],
          refunds: [['SUCCEEDED', 2_500n]],
          books: ['processed'],
        });
      }),
      { numRuns: 25 },
    );
    expect(desk.troubles).toEqual([]);
  });
});
