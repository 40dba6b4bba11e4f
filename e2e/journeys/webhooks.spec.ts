import { Webhook } from 'standardwebhooks';
import { cardsOf } from '../harness/test-cards.ts';
import { checkoutPage } from '../pages/checkout-page.ts';
import { checkoutOf } from './fixtures/merchant.ts';
import { expectAccessible } from './fixtures/overlays.ts';
import { openReceiver } from './fixtures/receiver.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, MAIN, merchant, test } from './fixtures/test.ts';

test('staff add an endpoint, see what it is sent, and send a webhook again', { tag: MAIN }, async ({ page, shop }) => {
  const receiver = await openReceiver();
  await signInAsOwner(page);
  await page.goto('/webhooks?mode=test');
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Merchant' }).click();
  await page.getByRole('option', { name: 'Balogun Street Fabrics' }).click();
  await dialog.getByLabel('Address').fill('nowhere');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(dialog).toContainText('Must be an https:// or http:// address');
  await dialog.getByLabel('Address').fill(receiver.url);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = (await dialog.getByRole('region', { name: 'the signing secret' }).textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await expect(page.getByRole('heading', { name: receiver.url })).toBeVisible();

  // A test event, at a receiver that is not ready for it.
  receiver.answerWith(500, 'the orders database is read-only');
  await page.getByRole('button', { name: 'Send test event' }).click();
  const panel = page.getByRole('complementary', { name: 'Delivery' });
  await expect(panel).toContainText('HTTP 500');
  await expect(panel).toContainText('the orders database is read-only');
  await expectAccessible(page);
  receiver.answerWith(200);
  await panel.getByRole('button', { name: 'Resend' }).click();
  await expect(panel).toContainText('HTTP 200');
  expect(receiver.messages.map(({ id }) => id)).toHaveLength(2);
  expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id);
  await panel.getByRole('button', { name: /^Close/ }).click();
  const address = page.url();

  // A payment: what arrives is what verify answers, under a signature that verifies.
  const { payment } = await merchant.initiate({ requestedGateway: 'paystack', redirectUrl: shop.redirectUrl });
  const checkout = checkoutPage(page);
  await checkout.open(checkoutOf(payment).payAt);
  await checkout.typeCard(cardsOf('paystack').plain);
  await checkout.pay();
  await shop.waitForCustomer();
  const record = await merchant.verify(payment.paymentId);
  await expect.poll(() => receiver.messages.filter(({ id }) => id === record.id).length).toBe(1);
  const sent = receiver.messages.find(({ id }) => id === record.id);
  expect(new Webhook(secret).verify(sent?.body ?? '', { ...sent?.headers })).toEqual(record);

  // Sent again: the same id and body, with a new signature.
  await page.goto(address);
  await page.getByRole('button', { name: 'Payment succeeded' }).first().click();
  await expect(panel).toContainText(record.id);
  await panel.getByRole('button', { name: 'Resend' }).click();
  await expect.poll(() => receiver.messages.filter(({ id }) => id === record.id).length).toBe(2);
  const again = receiver.messages.at(-1);
  expect(again?.body).toBe(sent?.body);
  expect(new Webhook(secret).verify(again?.body ?? '', { ...again?.headers })).toEqual(record);
  await expect(panel).toContainText('2 attempts');
  await panel.getByRole('button', { name: /^Close/ }).click();

  // A whole period, with everything in it.
  await page.getByRole('button', { name: 'Resend events' }).click();
  await dialog.getByLabel('All events').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Send \d+ events?$|^Send 1 event$/ }).click();
  await expect.poll(() => receiver.messages.filter(({ id }) => id === record.id).length).toBe(3);
  await expect(page.getByRole('region', { name: 'Resends' })).toContainText(/(\d+) of \1 delivered/);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove endpoint' }).click();
  await expect(page.getByText(`${receiver.url} was removed.`)).toBeVisible();
  await expect(page.getByRole('table').getByText(receiver.url)).toBeHidden();
  await receiver.close();
});
