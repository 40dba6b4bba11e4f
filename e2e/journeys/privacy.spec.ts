import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

test('an owner changes how long data is kept, exports a customer, and is told why the customer cannot be erased yet', async ({
  page,
}) => {
  const email = `privacy-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const { payment } = await merchant.initiate({ customer: { email } });
  await signInAsOwner(page);
  await page.goto('/privacy?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();

  await page.getByRole('button', { name: 'Change Gateway webhooks', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Keep for').fill('3');
  await dialog.getByRole('button', { name: 'Keep for 3 days' }).click();
  await expect(dialog).toContainText('ust be at least 7 days');
  await dialog.getByLabel('Keep for').fill('60');
  await expect(dialog).toContainText('cannot be undone');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep for 60 days' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Gateway webhooks' }).first();
  await expect(row).toContainText('60 days');
  await page.getByRole('button', { name: 'Change Gateway webhooks', exact: true }).click();
  await dialog.getByRole('button', { name: 'Back to 90 days' }).click();
  await expect(row).toContainText('90 days');

  await page.getByLabel('E-mail address').fill(email.toUpperCase());
  const downloads = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = await downloads;
  expect(readFileSync(await download.path(), 'utf8')).toContain(payment.paymentId);

  await page.getByRole('button', { name: 'Preview erasure' }).click();
  await expect(dialog).toContainText('1 payment is still open.');
  await expect(dialog.getByRole('button', { name: /Erase from/ })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(page.url()).not.toContain('privacy-');
});

/** The customers of failed payments of some days ago, no longer watched for late money. */
async function oldCustomers(page: Page, scope: URLSearchParams): Promise<string[]> {
  await page.goto(`/payments?${scope}&status=FAILED&from=today-6&to=today-4&sort=created`);
  const addresses = page.getByRole('table', { name: 'Payments' }).getByRole('cell', { name: /@example\.com$/ });
  await expect(addresses.first()).toBeVisible();
  return [...new Set(await addresses.allTextContents())];
}

/** Opens the preview of the first of these customers against whose erasure nothing stands; their address. */
async function previewErasable(page: Page, emails: readonly string[]): Promise<string> {
  const dialog = page.getByRole('dialog');
  for (const email of emails) {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Preview erasure' }).click();
    await expect(dialog).toContainText('Requests to gateways');
    if ((await dialog.getByRole('button', { name: /Erase from/ }).count()) === 1) return email;
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  throw new Error('every customer of the list has something unfinished');
}

test('an owner erases a customer whose payments are long finished: the payments stay, and nothing is held of who paid', async ({
  page,
}) => {
  await signInAsOwner(page);
  await page.goto('/privacy?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();
  await expect(page).toHaveURL(/merchant=/);
  const privacy = page.url();
  const emails = await oldCustomers(page, new URL(privacy).searchParams);

  await page.goto(privacy);
  const email = await previewErasable(page, emails);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('This cannot be undone.');
  await expectAccessible(page);
  const confirmation = dialog.getByLabel(/^Type “.+” to confirm$/);
  const label = (await dialog.locator('label').filter({ hasText: 'to confirm' }).textContent()) ?? '';
  const wanted = label.match(/“(.+)”/)?.[1] ?? '';
  const erase = dialog.getByRole('button', { name: /^Erase from \d+ payments?$/ });
  await expect(erase).toBeDisabled();
  await confirmation.fill('something else');
  await erase.click();
  await expect(dialog).toContainText(`ust be “${wanted}”`);
  await confirmation.fill(wanted);
  await erase.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/^The customer was erased from \d+ payments?\.$/)).toBeVisible();

  await expect(page.getByLabel('E-mail address')).toHaveValue('');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Preview erasure' }).click();
  await expect(page.getByText('Nothing is held about this customer in test.')).toBeVisible();

  const scope = new URL(privacy).searchParams;
  await page.goto(`/payments?${scope}&q=${email}`);
  await expect(page.getByText('No payments match')).toBeVisible();
  await page.goto(`/payments?${scope}&status=FAILED&from=today-6&to=today-4&sort=created`);
  await expect(page.getByRole('table', { name: 'Payments' })).toContainText('erased@customer.invalid');
  await page.goto(`/audit?${scope}`);
  await expect(page.getByRole('button', { name: 'Erased customer data' }).first()).toBeVisible();
});
