import type { Page } from '@playwright/test';
import { cardsOf } from '../harness/test-cards.ts';
import { checkoutPage, resultPage } from '../pages/checkout-page.ts';
import { GATEWAYS, PAIR } from './fixtures/gateways.ts';
import { checkoutOf } from './fixtures/merchant.ts';
import { expectAccessible } from './fixtures/overlays.ts';
import { demo, expect, merchant, test } from './fixtures/test.ts';

const SCREENS = { phone: { width: 360, height: 740 }, desktop: { width: 1_280, height: 800 } } as const;

/** Accessible on these screens, in both schemes. */
async function expectAccessibleOn(page: Page, ...screens: readonly (keyof typeof SCREENS)[]): Promise<void> {
  for (const screen of screens) {
    await page.setViewportSize(SCREENS[screen]);
    await expectAccessible(page);
  }
}

for (const gateway of PAIR) {
  test(`a customer of a merchant without a return page ends on ours, through ${gateway}`, async ({ page }) => {
    const hosts = new Set<string>();
    const { payment } = await merchant.initiate({ amount: 1_234_500, requestedGateway: gateway });
    const checkout = checkoutPage(page);
    await checkout.open(checkoutOf(payment).payAt);
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await checkout.payByCard(cardsOf(gateway).plain);

    const result = resultPage(page);
    await expect(result.title).toHaveText('Payment received');
    await expect(page.getByText('NGN 1,234,500.00')).toBeVisible();
    await expect(result.testBand).toBeVisible();
    await expect(result.fact('Order')).toHaveText(payment.merchantOrderId);
    await expect(result.fact('Payment')).toHaveText(payment.paymentId);
    await expect(result.checkAgain).toHaveCount(0);
    expect([...hosts].sort()).toEqual([new URL(checkoutOf(payment).payAt).host, new URL(demo.webUrl).host].sort());
  });
}

test('a payment whose card was declined is shown as not confirmed: the customer may go back and pay by another', async ({
  page,
}) => {
  const { payment } = await merchant.initiate({ requestedGateway: 'flutterwave' });
  const checkout = checkoutPage(page);
  await checkout.open(checkoutOf(payment).payAt);
  await checkout.payByCard(cardsOf('flutterwave').declined);
  await checkout.wayBack.click();
  await expect(resultPage(page).title).toHaveText('Payment not confirmed yet');
});

test('a failed payment is shown as failed', async ({ page, gateways }) => {
  for (const gateway of GATEWAYS) await gateways.setFault(gateway, 'rate_limited');
  const { payment } = await merchant.initiate({ requestedGateway: 'flutterwave' });
  for (const gateway of GATEWAYS) await gateways.heal(gateway);
  expect(payment.status).toBe('FAILED');
  await page.goto(`${demo.webUrl}/checkout/${payment.paymentId}/${payment.routing.recommended?.subproviderId}`);
  await expect(resultPage(page).title).toHaveText('Payment not completed');
  await expectAccessibleOn(page, 'phone');
});

test('a pending payment is verified again until it is paid, without reloading the page', async ({ page, gateways }) => {
  const { payment } = await merchant.initiate({ requestedGateway: 'paystack' });
  const { payAt, reference } = checkoutOf(payment);
  const checkout = checkoutPage(page);
  await checkout.open(payAt);
  await checkout.cancel();
  const result = resultPage(page);
  await expect(result.title).toHaveText('Payment not confirmed yet');
  await expectAccessibleOn(page, 'phone', 'desktop');
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  // Nothing but this page's own asking may find it out.
  await gateways.setFault('paystack', 'no_webhook');
  await gateways.payOutsideCheckout('paystack', reference);
  await expect(result.title).toHaveText('Payment received', { timeout: 15_000 });
  expect(loads).toBe(0);
  await expectAccessibleOn(page, 'phone', 'desktop');
});

test('an unknown address reveals nothing', async ({ page }) => {
  const { payment } = await merchant.initiate();
  const { returnTo } = checkoutOf(payment);
  const strange = returnTo.replace('/return', '').replace(payment.paymentId, '0197f3a0-5c4e-7d2a-9b1e-3f6a8c2d4e5f');
  const answer = await page.goto(strange);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText(payment.merchantOrderId)).toHaveCount(0);
});
