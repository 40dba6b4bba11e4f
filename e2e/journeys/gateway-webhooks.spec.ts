import { cardsOf } from '../harness/test-cards.ts';
import { checkoutPage } from '../pages/checkout-page.ts';
import { countVerifyCalls, type GatewayName, PAIR } from './fixtures/gateways.ts';
import { checkoutOf, type Initiated } from './fixtures/merchant.ts';
import { expect, merchant, test } from './fixtures/test.ts';

/** Initiates a payment that is not the newest of its account, which a probe of an idle account looks up as well. */
async function initiateBeforeAnother(
  requestedGateway: GatewayName,
  order?: { readonly redirectUrl: string },
): Promise<Initiated> {
  const initiated = await merchant.initiate({ requestedGateway, ...order });
  await merchant.initiate({ requestedGateway });
  return initiated;
}

for (const gateway of PAIR) {
  test.describe(`webhooks of ${gateway}`, () => {
    test('prove a payment whose customer never comes back', async ({ page, shop }) => {
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      // The gateway receives the card; its answer never reaches the browser.
      const paid = new Promise<void>((resolve, reject) => {
        page
          .route('**/card', async (route) => {
            await route.fetch({ maxRedirects: 0 }).then(() => resolve(), reject);
            await page.close();
          })
          .catch(reject);
      });
      await Promise.all([paid, checkout.payByCard(cardsOf(gateway).plain)]);
      expect(shop.visits).toEqual([]);
      await expect.poll(async () => (await merchant.read(payment.paymentId)).status).toBe('SUCCESS');
      expect((await merchant.verify(payment.paymentId)).type).toBe('payment.succeeded');
      expect(shop.visits).toEqual([]);
    });

    test('change nothing by coming twice', async ({ gateways }) => {
      await gateways.setFault(gateway, 'duplicate_webhook');
      const { payment } = await initiateBeforeAnother(gateway);
      const { paymentId, reference } = checkoutOf(payment);
      const transaction = () => gateways.transaction(gateway, reference);
      // Without the way back, which looks the payment up as well, unless a webhook was faster.
      await gateways.payOutsideCheckout(gateway, reference);
      await expect.poll(async () => (await transaction()).webhooks.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
      await expect.poll(async () => (await merchant.read(paymentId)).status).toBe('SUCCESS');
      const record = await merchant.verify(paymentId);
      expect(record.type).toBe('payment.succeeded');
      expect(await merchant.verify(paymentId)).toEqual(record);
      expect(countVerifyCalls(await transaction()), 'one look-up for the two of them').toBe(1);
    });

    test('that are forged change nothing and trigger no look-up', async ({ page, shop, gateways }) => {
      await gateways.setFault(gateway, 'forged_webhook');
      const { payment } = await initiateBeforeAnother(gateway, { redirectUrl: shop.redirectUrl });
      const { payAt, paymentId, reference } = checkoutOf(payment);
      const forged = async () => (await gateways.transaction(gateway, reference)).webhooks.filter((webhook) => webhook.forged);
      const answers = async () => (await forged()).map(({ attempts }) => attempts.map(({ status }) => status));
      await expect.poll(answers).toEqual([[401]]);
      expect((await merchant.read(paymentId)).status).toBe('PENDING');
      expect(countVerifyCalls(await gateways.transaction(gateway, reference))).toBe(0);

      const checkout = checkoutPage(page);
      await checkout.open(payAt);
      await checkout.payByCard(cardsOf(gateway).plain);
      await shop.waitForCustomer();
      await expect.poll(answers).toEqual([[401], [401]]);
      expect((await merchant.verify(paymentId)).type).toBe('payment.succeeded');
    });

    test('that overtake the customer prove the payment once', async ({ page, shop, gateways }) => {
      await gateways.setFault(gateway, 'webhook_before_redirect');
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const { payAt, paymentId, reference } = checkoutOf(payment);
      const checkout = checkoutPage(page);
      await checkout.open(payAt);
      await checkout.payByCard(cardsOf(gateway).plain);
      await shop.waitForCustomer();
      const { webhooks } = await gateways.transaction(gateway, reference);
      expect(webhooks.map(({ state }) => state)).toEqual(['delivered']);
      const record = await merchant.verify(paymentId);
      expect(record.type).toBe('payment.succeeded');
      expect(await merchant.verify(paymentId)).toEqual(record);
    });

    test('that never come leave the way back as proof enough', async ({ page, shop, gateways }) => {
      await gateways.setFault(gateway, 'no_webhook');
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      await checkout.payByCard(cardsOf(gateway).plain);
      await shop.waitForCustomer();
      expect((await merchant.read(payment.paymentId)).status).toBe('SUCCESS');
    });
  });
}
