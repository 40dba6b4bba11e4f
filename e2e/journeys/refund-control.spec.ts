import type { Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { addStaffUser, call, choose, openBrowser, read, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

const NO_CONTROL = { secondPersonAbove: null, dailyLimits: {}, reasonCodes: [] };

/** The merchant of the demo that no other journey refunds at: control holds for all of a merchant's refunds. */
async function merchantOfItsOwn(page: Page): Promise<{ readonly merchantId: string }> {
  const list = z.array(z.object({ merchantId: z.uuid(), name: z.string() }));
  const response = await page.request.get('/api/trpc/merchants.list');
  const reply = z.object({ result: z.object({ data: z.object({ json: list }) }) }).parse(await response.json());
  const found = reply.result.data.json.find(({ name }) => name === 'Lekki Garden Kitchen');
  if (found === undefined) throw new Error('the demo has no such merchant');
  return found;
}

/** A payment of the demo's past with enough to refund. */
async function paidBefore(page: Page, merchantId: string) {
  const filter = { merchantIds: [merchantId], mode: 'test', statuses: ['SUCCESS'], amountFrom: 2_000, limit: 1 };
  const payment = z.object({ paymentId: z.uuid(), merchantOrderId: z.string() });
  const { items } = await read(page, 'payments.list', filter, z.object({ items: z.array(payment) }));
  const [first] = items;
  if (first === undefined) throw new Error('the demo has no such payment');
  return first;
}

test('a refund above the amount is asked for with a reason code, and another person approves it; a file is refunded as its preview says', async ({
  page,
  browser,
}) => {
  await signInAsOwner(page);
  const { merchantId } = await merchantOfItsOwn(page);
  const address = (path: string) => `${path}?mode=test&merchant=${merchantId}`;
  const messages = page.getByRole('region', { name: 'Messages' });
  const { paymentId, merchantOrderId } = await paidBefore(page, merchantId);
  const otherPage = await openBrowser(browser);
  const other = await addStaffUser(page, otherPage, 'finance');

  try {
    // The owner keeps control on the merchant's page.
    await page.goto(address(`/merchants/${merchantId}`));
    const form = page.getByRole('form', { name: 'Control of refunds' });
    await form.getByLabel('Second person above').fill('500');
    await form.getByLabel('Reason codes').fill('cancelled: Order cancelled');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await expect(messages).toContainText('Control of refunds at');
    await expectAccessible(page);

    // More than the amount waits, with its reason code.
    await otherPage.goto(address(`/payments/${paymentId}`));
    await otherPage.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = otherPage.getByRole('dialog', { name: 'Refund this payment' });
    await dialog.getByRole('radio', { name: 'Partial' }).check();
    await dialog.getByLabel('Amount').fill('600');
    await choose(dialog.getByRole('combobox', { name: /^Reason code/ }), 'Order cancelled');
    await expect(dialog).toContainText('Refunds above NGN 500.00 of a payment need a second person.');
    await expectAccessible(otherPage);
    await dialog.getByRole('button', { name: 'Request approval to refund NGN 600.00' }).click();
    await expect(dialog).toBeHidden();
    await otherPage.goto(`${address('/refunds')}&tab=approvals`);
    await otherPage.getByRole('button', { name: `Withdraw… the refund of ${merchantOrderId}` }).click();
    await expectAccessible(otherPage);
    await otherPage.keyboard.press('Escape');

    // Another person finds it among what needs attention, and approves it.
    await page.goto(address('/overview'));
    const attention = page.getByRole('region', { name: /Needs attention/ });
    const asked = attention.getByRole('link', { name: /^Review refunds/ });
    const more = attention.getByRole('button', { name: /Show the other/ });
    await expect(asked.or(more).first()).toBeVisible();
    if (await more.isVisible()) await more.click();
    await asked.click();
    await expect(page.getByRole('table', { name: 'Approvals of refunds' })).toContainText(`${other.name}: Order cancelled`);
    await expectAccessible(page);
    await page.getByRole('button', { name: `Review… the refund of ${merchantOrderId}` }).click();
    const review = page.getByRole('dialog', { name: 'Review this refund' });
    await expectAccessible(page);
    await review.getByRole('button', { name: 'Approve the refund of NGN 600.00' }).click();
    await expect(messages).toContainText(`Refund requested: NGN 600.00 of order ${merchantOrderId}.`);

    // A file is refunded as its preview says, and once.
    await page.goto(address('/refunds'));
    await page.getByRole('link', { name: 'Refund from a file' }).click();
    const lines = ['payment,amount,reason_code', `${merchantOrderId},100,cancelled`, `${paymentId},1.5,cancelled`];
    const file = { name: 'refunds.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
    const input = page.locator('input[type="file"]');
    await input.setInputFiles(file);
    const preview = page.getByRole('region', { name: 'Preview', exact: true });
    await expect(preview).toContainText('NGN 100.00 of 1 payment is returned to customers.');
    await expect(preview).toContainText('amount must be a whole number above 0');
    await expectAccessible(page);
    await preview.getByRole('button', { name: 'Refund 1 payment' }).click();
    await expect(messages).toContainText('1 refund requested.');
    await input.setInputFiles(file);
    await expect(preview).toContainText('Nothing of this file is refunded.');
  } finally {
    await call(page, 'refunds.control.change', { merchantId, changes: NO_CONTROL }, z.unknown());
  }
});
