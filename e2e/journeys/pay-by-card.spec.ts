import { cardsOf } from '../harness/test-cards.ts';
import { checkoutPage } from '../pages/checkout-page.ts';
import { GATEWAYS, type GatewayName, PAIR } from './fixtures/gateways.ts';
import { checkoutOf } from './fixtures/merchant.ts';
import { expect, MAIN, merchant, test } from './fixtures/test.ts';

/** An order that the demo's rules send to the gateway; no rule names any but these two. */
const orderFor = (gateway: GatewayName) => {
  if (gateway === 'flutterwave') return { amount: 12_000 };
  return gateway === 'paystack' ? { amount: 2_500 } : { amount: 2_500, requestedGateway: gateway };
};

for (const gateway of GATEWAYS) {
  test.describe(`by card through ${gateway}`, () => {
    test('a customer pays, comes back to the shop, and the merchant verifies', { tag: MAIN }, async ({ page, shop }) => {
      const { payment } = await merchant.initiate({ ...orderFor(gateway), redirectUrl: shop.redirectUrl });
      expect(payment).toMatchObject({ status: 'PENDING', executionStatus: 'processing', recommendedGateway: { name: gateway } });
      const { payAt, paymentId, reference } = checkoutOf(payment);

      const checkout = checkoutPage(page);
      await checkout.open(payAt);
      await checkout.typeCard(cardsOf(gateway).plain);
      await checkout.pay();
      const landed = await shop.waitForCustomer();

      expect(landed.searchParams.getAll('paymentId')).toEqual([paymentId]);
      expect(landed.pathname + landed.search + landed.hash).toBe(
        `/order/done?cart=7&note=two%20words&paymentId=${paymentId}#receipt`,
      );
      expect(shop.visits).toHaveLength(1);
      // Verified on the customer's return: the merchant's first request finds it paid.
      expect(await merchant.read(paymentId)).toMatchObject({ status: 'SUCCESS', executionStatus: 'succeeded' });
      const record = await merchant.verify(paymentId);
      expect(record).toMatchObject({
        type: 'payment.succeeded',
        data: { paymentId, status: 'SUCCESS', amount: orderFor(gateway).amount, currency: 'NGN', gatewayReference: reference },
      });
      expect(await merchant.verify(paymentId)).toEqual(record);
    });

    test('a declined card does not end a payment that another card pays', async ({ page, shop }) => {
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      await checkout.payByCard(cardsOf(gateway).declined);
      await expect(checkout.failure).toContainText('Payment failed');
      // The gateway reports the failed try, whose page is open still.
      expect((await merchant.verify(payment.paymentId)).type).toBe('payment.pending');
      await checkout.payByCard(cardsOf(gateway).plain);
      await shop.waitForCustomer();
      expect((await merchant.verify(payment.paymentId)).type).toBe('payment.succeeded');
      expect((await merchant.read(payment.paymentId)).status).toBe('SUCCESS');
    });
  });
}

/** The hosted page's steps are the sandbox's own, alike for every gateway. */
for (const gateway of PAIR) {
  test.describe(`the steps of a card payment through ${gateway}`, () => {
    test('PIN and one-time code lead to the same end', async ({ page, shop }) => {
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      await checkout.payByCard(cardsOf(gateway).pinAndOtp);
      await checkout.enterPin(cardsOf(gateway).pinAndOtp.pin ?? '');
      await checkout.enterOtp(cardsOf(gateway).pinAndOtp.otp ?? '');
      await shop.waitForCustomer();
      expect((await merchant.verify(payment.paymentId)).type).toBe('payment.succeeded');
    });

    test('approving at the bank leads to the same end', async ({ page, shop }) => {
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      await checkout.payByCard(cardsOf(gateway).bank);
      await checkout.approveAtBank();
      await shop.waitForCustomer();
      expect((await merchant.verify(payment.paymentId)).type).toBe('payment.succeeded');
    });

    test('a customer whose card is declined and who leaves comes back to a payment that is open still', async ({
      page,
      shop,
    }) => {
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      await checkout.payByCard(cardsOf(gateway).declined);
      await expect(checkout.failure).toContainText('Payment failed');
      await checkout.cancel();
      const landed = await shop.waitForCustomer();
      expect(landed.searchParams.getAll('paymentId')).toEqual([payment.paymentId]);
      expect(await merchant.verify(payment.paymentId)).toMatchObject({
        type: 'payment.pending',
        data: { status: 'PENDING', executionStatus: 'processing' },
      });
    });
  });
}
