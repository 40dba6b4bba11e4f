import { requestRefund, syncRefund } from '@switchyard/payments/refunds';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { GATEWAYS, type GatewayName } from '../harness/gateways.ts';
import { type House, startHouse } from '../harness/harness.ts';
import type { HouseMerchant } from '../harness/merchants.ts';
import { type PaidPayment, type RefundDesk, refundDesk } from './refund-desk.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STAFF = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

let house: House;
let merchant: HouseMerchant;
let desk: RefundDesk;
beforeAll(async () => {
  house = await startHouse({ worker: false });
  merchant = await house.merchant();
  desk = refundDesk(house);
  // Flutterwave sends no webhooks of refunds unless asked to.
  const { secretKey, secretHash } = merchant.gatewayKeys.flutterwave;
  const webhookUrl = `${house.publicUrl}/webhooks/flutterwave/${merchant.accounts.flutterwave}`;
  await house.gateways.register('flutterwave', { secretKey, webhookUrl, webhookSecretHash: secretHash, refundWebhooks: true });
});
afterEach(async () => {
  await house.gateways.heal();
  expect(desk.troubles.splice(0)).toEqual([]);
});
afterAll(() => house.close());

interface Asked {
  readonly gateway: GatewayName;
  readonly payment: PaidPayment;
  readonly refundId: string;
}

const later = (ms: number) => new Date(Date.now() + ms);
const gatewayRefund = ({ payment }: Asked) =>
  eventually('the gateway to have the refund', async () => (await desk.books(payment)).at(-1));

/** Every way in which a refund that was asked for ends well. */
const SUCCESSES: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
  'the worker asks the gateway about it': async ({ payment }) => {
    await desk.work();
    await desk.end(payment, 'processed');
    await desk.follow();
  },
  'a person asks the gateway about it': async ({ payment, refundId }) => {
    await desk.work();
    await desk.end(payment, 'processed');
    await syncRefund(house.switchyard.payments, { merchantIds: [merchant.merchantId], refundId });
  },
  'the gateway sends a webhook': async (asked) => {
    await desk.work();
    await desk.end(asked.payment, 'processed');
    await eventually('the webhook to be followed up', async () => {
      await desk.work();
      return (await desk.refund(asked.refundId)).state === 'SUCCEEDED' ? true : null;
    });
  },
  "it is found in the gateway's list after its answer was lost": async (asked) => {
    await house.gateways.setFault(asked.gateway, 'broken_json');
    await desk.work();
    await house.gateways.heal();
    expect(await desk.refund(asked.refundId)).toMatchObject({ state: 'PROCESSING', gatewayRefundId: null });
    await gatewayRefund(asked);
    await desk.end(asked.payment, 'processed');
    await desk.follow(later(MINUTE_MS));
  },
  'it needed attention in between': async ({ payment }) => {
    await desk.work();
    await desk.end(payment, 'needs-attention');
    await desk.follow();
    await desk.end(payment, 'processed');
    await desk.follow();
  },
};

/** Every way in which one ends without money going back. */
const FAILURES: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
  'the gateway fails it later': async ({ payment }) => {
    await desk.work();
    await desk.end(payment, 'failed');
    await desk.follow();
  },
  'the gateway refuses it at once': async ({ gateway, payment }) => {
    await house.gateways.amend(gateway, `transactions/${payment.reference}/alter`, { hidden: true });
    await desk.work();
  },
  'it is found failed in the list after its answer was lost': async (asked) => {
    await house.gateways.setFault(asked.gateway, 'broken_json');
    await desk.work();
    await house.gateways.heal();
    await gatewayRefund(asked);
    await desk.end(asked.payment, 'failed');
    await desk.follow(later(MINUTE_MS));
  },
  'the gateway could not be reached for a day': async ({ gateway }) => {
    await house.gateways.setFault(gateway, 'down');
    await desk.work();
    await desk.follow(later(25 * HOUR_MS));
  },
};

/** What the merchant is told of a payment after it was paid, with what the records say. */
async function toldOf({ payment }: Asked) {
  const [paid, ...rest] = await desk.events(payment.paymentId);
  expect(paid?.type).toBe('payment.succeeded');
  const { timeline } = await desk.payment(payment.paymentId);
  return rest.map(({ id, type, body }) => {
    const record = JSON.parse(body);
    expect(record).toMatchObject({ id, type, data: { paymentId: payment.paymentId, amount: 2_500 } });
    expect(timeline.filter((entry) => entry.id === id)).toMatchObject([{ type }]);
    return [type, record.data.status];
  });
}

describe.each(GATEWAYS)('at %s', (gateway) => {
  async function askFor(amount: bigint | null): Promise<Asked> {
    const payment = await desk.pay(merchant, gateway);
    const refundId = house.switchyard.payments.newId();
    const outcome = await requestRefund(house.switchyard.payments, {
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
      await desk.follow(later(HOUR_MS));
      expect(await desk.refund(asked.refundId)).toMatchObject({ state: 'SUCCEEDED' });
      expect(await toldOf(asked)).toEqual([['refund.succeeded', 'SUCCESS']]);
    });

    test('all of it is announced as a refund, and then as what it makes of the payment', async () => {
      const asked = await askFor(null);
      await end(asked);
      await desk.follow(later(HOUR_MS));
      expect(await toldOf(asked)).toEqual([
        ['refund.succeeded', 'REFUNDED'],
        ['payment.refunded', 'REFUNDED'],
      ]);
    });
  });

  test.each(Object.entries(FAILURES))('when %s, the merchant is told that it failed, once', async (_name, end) => {
    const asked = await askFor(1_000n);
    await end(asked);
    await house.gateways.heal();
    await desk.follow(later(26 * HOUR_MS));
    expect(await desk.refund(asked.refundId)).toMatchObject({ state: 'FAILED' });
    expect(await toldOf(asked)).toEqual([['refund.failed', 'SUCCESS']]);
  });
});
