import { createHmac, randomUUID } from 'node:crypto';
import { GATEWAYS } from '../harness/gateways.ts';
import { cardsOf } from '../harness/test-cards.ts';
import { checkoutPage } from '../pages/checkout-page.ts';
import { expectAccessible } from './fixtures/overlays.ts';
import { openReceiver } from './fixtures/receiver.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, test } from './fixtures/test.ts';

const SECRET = 'the-secret-of-the-old-code';

test('staff switch code for Paystack over: its calls are answered, and its webhooks arrive as Paystack signs them', async ({
  page,
}) => {
  const receiver = await openReceiver();
  await signInAsOwner(page);
  await page.goto('/developers?mode=test');
  await page.getByRole('link', { name: 'Switch over' }).click();
  await expect(page.getByRole('heading', { name: 'What still arrives directly' })).toBeVisible();
  const base = `${demo.webUrl}/compat/paystack`;
  await expect(page.getByRole('button', { name: `Copy the base address ${base}` })).toBeVisible();
  await page.getByRole('link', { name: 'An endpoint of the format Paystack' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Paystack', { exact: true })).toBeChecked();
  await dialog.getByRole('combobox', { name: 'Merchant' }).click();
  await page.getByRole('option', { name: 'Balogun Street Fabrics' }).click();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Secret').fill('too short');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(dialog).toContainText('Must be 16 to 256 visible characters');
  await dialog.getByLabel('Secret').fill(SECRET);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await expect(page.getByRole('heading', { name: receiver.url })).toBeVisible();

  const reference = `switch-${randomUUID()}`;
  const begun = await fetch(`${base}/transaction/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', amount: '250000', reference, channels: ['card'] }),
  });
  const { data } = await begun.json();
  await page.goto(data.authorization_url);
  const gateway = GATEWAYS.find((name) => page.url().includes(`/${name}/`)) ?? 'paystack';
  const checkout = checkoutPage(page);
  await checkout.typeCard(cardsOf(gateway).plain);
  await checkout.pay();
  await expect.poll(() => receiver.messages.length, { timeout: 30_000 }).toBe(1);
  const [message] = receiver.messages;
  const signature = createHmac('sha512', SECRET)
    .update(message?.body ?? '')
    .digest('hex');
  expect(message?.headers['x-paystack-signature']).toBe(signature);
  expect(JSON.parse(message?.body ?? '')).toMatchObject({ event: 'charge.success', data: { reference, amount: 250_000 } });
});
