import { readFileSync } from 'node:fs';
import { expectAccessible } from './fixtures/accessibility.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

test('an owner changes how long data is kept, exports a customer, and is told why the customer cannot be erased yet', async ({
  page,
}) => {
  test.setTimeout(Number(process.env.JOURNEY_TIMEOUT_MS ?? 90_000));
  const email = `privacy-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const { payment } = await merchant.initiate({ customer: { email } });
  await signInAsOwner(page);
  await page.goto('/privacy?mode=test');
  await expectAccessible(page);
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
