import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { cardsOf } from '../harness/test-cards.ts';
import { checkoutPage } from '../pages/checkout-page.ts';
import { checkoutOf, type OpenCheckout } from './fixtures/merchant.ts';
import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, MAIN, merchant, test } from './fixtures/test.ts';

const SEARCH = 'Search payments';

/** A customer with a unique e-mail address, so that a list has their payments alone. */
const newCustomer = (): string => `journey-${Date.now()}@example.com`;

async function pay(page: Page, { payAt }: OpenCheckout): Promise<void> {
  const checkout = checkoutPage(page);
  await checkout.open(payAt);
  await checkout.payByCard(cardsOf('paystack').plain);
}

/** The order ids of the rows shown, from the first. */
function ordersShown(page: Page): Promise<string[]> {
  return page.getByRole('table', { name: 'Payments' }).getByRole('link').allTextContents();
}

test('filters stay through reload and back, a list is saved under a name, and the export has what is shown', {
  tag: MAIN,
}, async ({ page }) => {
  const email = newCustomer();
  const made: string[] = [];
  for (const amount of [1_500, 2_500, 3_500]) {
    const { payment } = await merchant.initiate({ amount, customer: { email } });
    made.unshift(payment.merchantOrderId);
  }
  await signInAsOwner(page);
  await page.goto('/payments?mode=test');
  await page.getByLabel(SEARCH).fill(email.toUpperCase());
  await expect.poll(() => ordersShown(page)).toEqual(made);

  await page
    .getByRole('search')
    .getByRole('button', { name: /^Amount/ })
    .click();
  await page.getByLabel('From', { exact: true }).fill('2,000');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => ordersShown(page)).toEqual(made.slice(0, 2));
  await expect(page).toHaveURL(/min=2000/);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect.poll(() => ordersShown(page)).toEqual(made.slice(0, 2));

  await page.getByRole('link', { name: made[0] ?? '', exact: true }).click();
  await expect(page).toHaveURL(/payment=/);
  await page.goBack();
  await expect(page).not.toHaveURL(/payment=/);
  await expect.poll(() => ordersShown(page)).toEqual(made.slice(0, 2));

  const amount = page.getByRole('columnheader', { name: /^Amount/ });
  await amount.getByRole('button').click();
  await expect(amount).toHaveAttribute('aria-sort', 'descending');
  await amount.getByRole('button').click();
  await expect(page).toHaveURL(/sort=amount/);
  await expect.poll(() => ordersShown(page)).toEqual(made.slice(0, 2).toReversed());
  await expect(page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'All 2' })).toBeVisible();

  const name = `Large of ${email}`;
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save this view as').fill(name);
  await page.getByRole('button', { name: 'Save view' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();
  await page.goto('/payments?mode=test');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name }).click();
  await expect.poll(() => ordersShown(page)).toEqual(made.slice(0, 2).toReversed());
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^CSV as shown/ }).click()]);
  const [titles, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(titles).toContain(
    'status,review,amount,currency,merchant_order_id,checkout_gateway,failure_reason,method,customer_email,',
  );
  expect(lines).toHaveLength(2);
  for (const order of made.slice(0, 2)) expect(lines.filter((line) => line.includes(order))).toHaveLength(1);
});

test('staff find a payment, write a note on it and refund it', { tag: MAIN }, async ({ page, shop }) => {
  const { payment } = await merchant.initiate({ redirectUrl: shop.redirectUrl, customer: { email: newCustomer() } });
  await pay(page, checkoutOf(payment));
  await shop.waitForCustomer();
  expect(await merchant.read(payment.paymentId)).toMatchObject({ status: 'SUCCESS' });

  await signInAsOwner(page);
  await page.goto('/payments?mode=test');
  await page.getByLabel(SEARCH).fill(payment.merchantOrderId);
  const refundHarness = page.viewportSize() ?? { width: 1_280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('row').filter({ hasText: payment.merchantOrderId }).getByText('NGN')).toBeVisible();
  await page.setViewportSize(refundHarness);
  await page.getByRole('link', { name: payment.merchantOrderId }).first().click();
  const panel = page.getByRole('complementary', { name: 'Payment' });
  await panel.getByLabel('Add a note').fill('The customer sent it back.');
  await panel.getByRole('button', { name: 'Save note' }).click();
  await expect(panel.getByText('The customer sent it back.')).toBeVisible();
  await panel.getByRole('button', { name: 'Would it be routed the same way now?' }).click();
  await expect(panel.getByText(/the decision is the same/)).toBeVisible();

  await panel.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' });
  await dialog.getByRole('button', { name: /^Refund/ }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await merchant.read(payment.paymentId)).status, { timeout: 60_000 }).toBe('REFUNDED');
  await page.reload();
  await expect(panel.getByText('Refunded in full')).toBeVisible();

  // An address without a mode is completed before the page is sent, and the page is loaded once.
  let pages = 0;
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.status() === 200) pages += 1;
  });
  await page.goto(`/payments/${payment.paymentId}`);
  await expect(page).toHaveURL(/mode=test/);
  await expect(page.getByText('Refunded in full')).toBeVisible();
  expect(pages).toBe(1);
  await expectAccessible(page);
});
