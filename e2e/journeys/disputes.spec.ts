import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { read, signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, merchant, test } from './fixtures/test.ts';

const UNDER_WAY_MS = 150_000;
const messagesSchema = z.object({ messages: z.array(z.object({ type: z.string().nullable(), body: z.string() })) });
const listed = z.object({ items: z.array(z.object({ disputeId: z.uuid(), state: z.string() })) });

test('a dispute is opened at the gateway, answered with evidence, and won, and the merchant is told', async ({
  page,
  request,
}) => {
  const { payment } = await merchant.initiate({ requestedGateway: 'paystack', paymentMethod: 'transfer' });
  const { paymentId, recommendedGateway } = payment;
  const reference = recommendedGateway.session?.reference ?? '';
  const control = (path: string, data: object) =>
    request.post(`${demo.sandboxUrl}/control/paystack/transactions/${reference}/${path}`, { data });
  await control('transfer', { amount: 250_000 });
  await signInAsOwner(page);
  const input = { merchantIds: [], mode: 'test', paymentId, limit: 1 };
  await expect
    .poll(async () => (await read(page, 'payments.byId', { paymentId }, z.object({ status: z.string() }))).status)
    .toBe('SUCCESS');
  await control('dispute', { category: 'chargeback' });
  await expect
    .poll(async () => (await read(page, 'disputes.list', input, listed)).items.length, { timeout: UNDER_WAY_MS })
    .toBe(1);
  const [dispute] = (await read(page, 'disputes.list', input, listed)).items;

  await page.goto('/disputes?mode=test');
  const inbox = page.getByRole('table', { name: 'Disputes' });
  await expect(inbox).toContainText(/14 h 5\d min left|15 h left/);
  await page.goto(`/disputes/${dispute?.disputeId}?mode=test`);
  await expect(page.getByText('Without a response Paystack takes it as accepted')).toBeVisible();
  const payer = 'Sandbox Customer, Sandbox Bank, account ending 553';
  await expect(page.getByText(`Paystack names the account that the transfer came from: ${payer}.`)).toBeVisible();
  const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 receipt') };
  await page.locator('input[type=file]').setInputFiles(receipt);
  await expect(page.getByRole('button', { name: 'Download receipt.pdf' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Respond…' }).click();
  const form = page.getByRole('dialog', { name: 'Respond to this dispute' });
  await form.getByLabel(/Message to Paystack/).fill('It was delivered on Monday.');
  await form.getByLabel('Name of the customer').fill('Ada Obi');
  await form.getByLabel('What the customer bought').fill('One pair of shoes');
  await form.getByRole('button', { name: 'Review response' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Contest this dispute?' });
  await expect(confirmation).toContainText('receipt.pdf');
  await confirmation.getByRole('button', { name: 'Send response' }).click();
  await expect(page.getByText('Under review').first()).toBeVisible({ timeout: UNDER_WAY_MS });
  await expect(page.getByRole('region', { name: 'Responses' })).toContainText('Sent');
  await expect(page.getByRole('button', { name: 'Respond…' })).toBeHidden();

  await control('dispute', { resolution: 'declined' });
  await expect(page.getByText('Won', { exact: true }).first()).toBeVisible({ timeout: UNDER_WAY_MS });
  const told = async () => {
    const answer = await request.get(`${demo.sandboxUrl}/control/shop/balogun-street-fabrics`);
    const { messages } = messagesSchema.parse(await answer.json());
    return messages.filter(({ body }) => body.includes(paymentId)).map(({ type }) => type);
  };
  await expect.poll(told, { timeout: UNDER_WAY_MS }).toEqual(expect.arrayContaining(['dispute.opened', 'dispute.closed']));
});
