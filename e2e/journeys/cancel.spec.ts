import { checkoutPage, resultPage } from '../pages/checkout-page.ts';
import { PAIR } from './fixtures/gateways.ts';
import { checkoutOf } from './fixtures/merchant.ts';
import { expect, merchant, test } from './fixtures/test.ts';

for (const gateway of PAIR) {
  test.describe(`cancelling at ${gateway}`, () => {
    test('brings the customer back to the shop with an unpaid payment, which can still be paid', async ({ page, shop }) => {
      const { payment } = await merchant.initiate({
        paymentMethod: 'transfer',
        requestedGateway: gateway,
        redirectUrl: shop.redirectUrl,
      });
      const { payAt, paymentId } = checkoutOf(payment);
      const checkout = checkoutPage(page);
      await checkout.open(payAt);
      await checkout.cancel();
      const landed = await shop.waitForCustomer();
      expect(landed.searchParams.getAll('paymentId')).toEqual([paymentId]);
      expect(await merchant.verify(paymentId)).toMatchObject({
        type: 'payment.pending',
        data: { status: 'PENDING', executionStatus: 'processing' },
      });
      await checkout.open(payAt);
      await checkout.payByTransfer();
      await shop.waitForCustomer();
      expect((await merchant.verify(paymentId)).type).toBe('payment.succeeded');
    });

    test('without a shop page, our own page shows that nothing is confirmed', async ({ page }) => {
      const { payment } = await merchant.initiate({ requestedGateway: gateway });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      await checkout.cancel();
      const result = resultPage(page);
      await expect(result.title).toHaveText('Payment not confirmed yet');
      await expect(result.checkAgain).toBeVisible();
      expect((await merchant.verify(payment.paymentId)).type).toBe('payment.pending');
    });
  });
}
