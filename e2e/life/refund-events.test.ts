import { type RefundAmount, requestRefund, syncRefund } from '@switchyard/payments/refunds';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type PaidPayment, type RefundHarness } from './refund-harness.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STAFF = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
  refundHarness = openRefundHarness(harness);
  // Flutterwave sends no webhooks of refunds unless configured to.
  const webhookUrl = `${harness.publicUrl}/webhooks/flutterwave/${merchant.accounts.flutterwave}`;
  await harness.gateways.register('flutterwave', { ...merchant.gatewayKeys.flutterwave, webhookUrl, refundWebhooks: true });
});
afterEach(async () => {
  await harness.gateways.heal();
  expect(refundHarness.errors.splice(0)).toEqual([]);
});
afterAll(() => harness.close());

interface RefundedPayment {
  readonly gateway: PairName;
  readonly payment: PaidPayment;
  readonly refundId: string;
}

const later = (ms: number) => new Date(Date.now() + ms);
const gatewayRefund = ({ payment }: RefundedPayment) =>
  eventually('the gateway to have the refund', async () => (await refundHarness.gatewayRefunds(payment)).at(-1));

/** Every way in which a requested refund succeeds. */
const SUCCESSES: Readonly<Record<string, (asked: RefundedPayment) => Promise<unknown>>> = {
  'the worker asks the gateway about it': async ({ payment }) => {
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'processed');
    await refundHarness.follow();
  },
  'a person asks the gateway about it': async ({ payment, refundId }) => {
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'processed');
    await syncRefund(harness.switchyard.payments, { merchantIds: [merchant.merchantId], refundId });
  },
  'the gateway sends a webhook': async (asked) => {
    await refundHarness.runJobs();
    await refundHarness.end(asked.payment, 'processed');
    await eventually('the webhook to be followed up', async () => {
      await refundHarness.runJobs();
      return (await refundHarness.refund(asked.refundId)).state === 'SUCCEEDED' ? true : null;
    });
  },
  "it is found in the gateway's list after its answer was lost": async (asked) => {
    await harness.gateways.setFault(asked.gateway, 'broken_json');
    await refundHarness.runJobs();
    await harness.gateways.heal();
    expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'PROCESSING', gatewayRefundId: null });
    await gatewayRefund(asked);
    await refundHarness.end(asked.payment, 'processed');
    await refundHarness.follow(later(MINUTE_MS));
  },
  'it needed attention in between': async ({ payment }) => {
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'needs-attention');
    await refundHarness.follow();
    await refundHarness.end(payment, 'processed');
    await refundHarness.follow();
  },
};

/** Every way in which one ends without money going back. */
const FAILURES: Readonly<Record<string, (asked: RefundedPayment) => Promise<unknown>>> = {
  'the gateway fails it later': async ({ payment }) => {
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'failed');
    await refundHarness.follow();
  },
  'the gateway refuses it at once': async ({ gateway, payment }) => {
    await harness.gateways.amend(gateway, `transactions/${payment.reference}/alter`, { hidden: true });
    await refundHarness.runJobs();
  },
  'it is found failed in the list after its answer was lost': async (asked) => {
    await harness.gateways.setFault(asked.gateway, 'broken_json');
    await refundHarness.runJobs();
    await harness.gateways.heal();
    await gatewayRefund(asked);
    await refundHarness.end(asked.payment, 'failed');
    await refundHarness.follow(later(MINUTE_MS));
  },
  'the gateway could not be reached for a day': async ({ gateway }) => {
    await harness.gateways.setFault(gateway, 'down');
    await refundHarness.runJobs();
    await refundHarness.follow(later(25 * HOUR_MS));
  },
};

/** The events a merchant gets for a payment after it was paid, with the records behind them. */
async function eventsOf({ payment, refundId }: RefundedPayment) {
  const [paid, ...rest] = await refundHarness.events(payment.paymentId);
  expect(paid?.type).toBe('payment.succeeded');
  const { timeline } = await refundHarness.payment(payment.paymentId);
  const { amount, currency } = await refundHarness.refund(refundId);
  const reason = 'Item out of stock';
  return rest.map(({ id, type, body }) => {
    const record = JSON.parse(body);
    expect(record).toMatchObject({ id, type, data: { paymentId: payment.paymentId, amount: 2_500 } });
    const status = type === 'refund.failed' ? 'FAILED' : 'SUCCESS';
    const refund = expect.objectContaining({ refundId, amount: Number(amount), currency, status, reason });
    expect(record.data.refund).toEqual(type.startsWith('refund.') ? refund : undefined);
    expect(timeline.filter((entry) => entry.id === id)).toMatchObject([{ type }]);
    return [type, record.data.status];
  });
}

describe.each(PAIR)('at %s', (gateway) => {
  async function askFor(amount: RefundAmount): Promise<RefundedPayment> {
    const payment = await refundHarness.pay(merchant, gateway);
    const refundId = harness.switchyard.payments.newId();
    const outcome = await requestRefund(harness.switchyard.payments, {
      refundId,
      merchantId: merchant.merchantId,
      mode: null,
      paymentId: payment.paymentId,
      amount,
      reason: 'Item out of stock',
      actor: STAFF,
      cause: 'staff',
    });
    expect(outcome.kind).toBe('requested');
    return { gateway, payment, refundId };
  }

  describe.each(Object.entries(SUCCESSES))('when %s', (_name, end) => {
    test('a part that staff gave back is announced, once', async () => {
      const asked = await askFor(1_000n);
      await end(asked);
      await refundHarness.follow(later(HOUR_MS));
      expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'SUCCEEDED' });
      expect(await eventsOf(asked)).toEqual([['refund.succeeded', 'SUCCESS']]);
    });

    test('all of it is announced as a refund, and then as what it makes of the payment', async () => {
      const asked = await askFor('full');
      await end(asked);
      await refundHarness.follow(later(HOUR_MS));
      expect(await eventsOf(asked)).toEqual([
        ['refund.succeeded', 'REFUNDED'],
        ['payment.refunded', 'REFUNDED'],
      ]);
    });
  });

  test.each(Object.entries(FAILURES))('when %s, the merchant gets one event that it failed', async (_name, end) => {
    const asked = await askFor(1_000n);
    await end(asked);
    await harness.gateways.heal();
    await refundHarness.follow(later(26 * HOUR_MS));
    expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'FAILED' });
    expect(await eventsOf(asked)).toEqual([['refund.failed', 'SUCCESS']]);
  });
});
