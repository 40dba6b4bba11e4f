import type { APIRequestContext, Page } from '@playwright/test';
import { z } from 'zod';
import { checkoutPage } from '../pages/checkout-page.ts';
import { PAIR } from './fixtures/gateways.ts';
import { checkoutOf } from './fixtures/merchant.ts';
import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, merchant, test } from './fixtures/test.ts';

const UNDER_WAY_MS = 150_000;
const messagesSchema = z.object({ messages: z.array(z.object({ type: z.string().nullable(), body: z.string() })) });

/** Types of the events that the demo's first merchant received of a payment, in the order in which they came. */
async function receivedOf(request: APIRequestContext, paymentId: string): Promise<(string | null)[]> {
  const answer = await request.get(`${demo.sandboxUrl}/control/shop/balogun-street-fabrics`);
  const { messages } = messagesSchema.parse(await answer.json());
  return messages
    .filter(({ body }) => body.includes(paymentId))
    .map(({ type }) => type)
    .toReversed();
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Payment' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });

/** Requests a refund of a part of the payment that is open. */
async function refundPart(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' });
  await dialog.getByRole('radio', { name: 'Partial' }).check();
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByRole('button', { name: `Refund NGN ${amount}` }).click();
  await expect(dialog).toBeHidden();
}

for (const gateway of PAIR) {
  test(`a first visitor refunds a part of a payment of the demo's past at ${gateway}, and sees it through`, async ({
    page,
    request,
  }) => {
    await signInAsOwner(page);
    // Until yesterday: what other journeys pay today would fill the first page.
    await page.goto(`/payments?mode=test&status=SUCCESS&gateway=${gateway}&min=1000&to=today-1`);
    const row = page
      .getByRole('table', { name: 'Payments' })
      .getByRole('row')
      .filter({ hasText: /BSF-\d+/ });
    const link = row.filter({ hasText: 'Succeeded' }).first().getByRole('link');
    const order = (await link.textContent()) ?? '';
    await link.click();
    const panel = panelOf(page);
    await expect(panel.getByText(order).first()).toBeVisible();
    const paymentId = new URL(page.url()).searchParams.get('payment') ?? '';

    await refundPart(page, '100');
    await expect(toasts(page)).toContainText(`Refund requested: NGN 100.00 of order ${order}.`);
    await expect(panel.getByText('Partly refunded', { exact: true })).toBeVisible({ timeout: UNDER_WAY_MS });
    // The list is of those that succeeded and kept all of it.
    await expect(row.filter({ hasText: order })).toHaveCount(0, { timeout: UNDER_WAY_MS });
    await expect.poll(() => receivedOf(request, paymentId), { timeout: UNDER_WAY_MS }).toEqual(['refund.succeeded']);
    await expect(panel.getByText('Refund succeeded')).toBeVisible();
    await expectAccessible(page);
  });
}

test('a refund that fails is no refund: it needs attention until it is refunded again or dismissed', async ({
  page,
  shop,
  request,
}) => {
  const { payment } = await merchant.initiate({ redirectUrl: shop.redirectUrl });
  const checkout = checkoutPage(page);
  await checkout.open(checkoutOf(payment).payAt);
  await checkout.payByCard({ name: 'Success, refund fails' });
  await shop.waitForCustomer();
  const { paymentId, merchantOrderId } = payment;

  await signInAsOwner(page);
  await page.goto(`/payments/${paymentId}?mode=test`);
  await refundPart(page, '900');
  await expect(toasts(page)).toContainText(`Refund requested: NGN 900.00 of order ${merchantOrderId}.`);
  await expect(page.getByText('NGN 900.00 was not returned.')).toBeVisible({ timeout: UNDER_WAY_MS });
  await expect(page.getByText('Partly refunded')).toBeHidden();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect
    .poll(() => receivedOf(request, paymentId), { timeout: UNDER_WAY_MS })
    .toEqual(['payment.succeeded', 'refund.failed']);
  await expectAccessible(page);

  const { merchantId } = z.looseObject({ merchantId: z.uuid() }).parse(payment.recommendedGateway.session?.metadata);
  const overview = `/overview?mode=test&merchant=${merchantId}`;
  await page.goto(overview);
  const attention = page.getByRole('region', { name: /Needs attention/ });
  const stuck = attention.getByRole('listitem').filter({ hasText: /\d refunds? (is|are) stuck/ });
  const more = attention.getByRole('button', { name: /Show the other/ });
  await expect(stuck.or(more).first()).toBeVisible();
  if (await more.isVisible()) await more.click();
  const before = await stuck.textContent();
  await stuck.getByRole('link', { name: /^Fix refunds/ }).click();
  const dismiss = page.getByRole('button', { name: `Dismiss… the failed refund of ${merchantOrderId}` });
  await dismiss.click();
  const dialog = page.getByRole('dialog', { name: 'Dismiss this failed refund' });
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Paid back by bank transfer.');
  await dialog.getByRole('button', { name: 'Dismiss the failed refund' }).click();
  await expect(dismiss).toBeHidden();
  await page.goto(`/payments/${paymentId}?mode=test`);
  await expect(page.getByText('Failed refund dismissed')).toBeVisible();
  await expect(page.getByText('NGN 900.00 was not returned.')).toBeHidden();
  await page.goto(overview);
  await expect(attention).toBeVisible();
  await expect(stuck.filter({ hasText: before ?? '' })).toBeHidden();
});
