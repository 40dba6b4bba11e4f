import type { Locator } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, MAIN, test } from './fixtures/test.ts';

/** Status of a call with the key: 404 for a payment that does not exist, or 401 when the key is refused. */
async function statusWith(secretKey: string): Promise<number> {
  const { status } = await fetch(`${demo.webUrl}/v1/payments/0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(30_000),
  });
  return status;
}

/** The key a dialog shows, which is then closed. */
async function takeKey(dialog: Locator): Promise<string> {
  const secretKey = (await dialog.getByRole('region', { name: 'the key' }).textContent()) ?? '';
  expect(secretKey).toMatch(/^sk_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await expect(dialog).toBeHidden();
  return secretKey;
}

test('staff create, rotate and revoke a key, and calls with it work as long as it does', { tag: MAIN }, async ({ page }) => {
  const name = `Journey ${crypto.randomUUID().slice(0, 8)}`;
  await signInAsOwner(page);
  await page.goto('/keys?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();

  await page.getByRole('button', { name: 'Create a test key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog).toContainText('Must not be empty');
  await expect(dialog).toContainText('Must have at least one permission');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Full access').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog).toContainText('not shown again');
  await expectAccessible(page);
  // A key is shown only once, so its own button alone closes the dialog: a browser closes one at the second Escape of itself.
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  await page.mouse.click(5, 5);
  await expect(dialog).toContainText('not shown again');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  const first = await takeKey(dialog);
  await expect.poll(() => statusWith(first)).toBe(404);
  const rows = page.getByRole('row').filter({ hasText: name });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Active');
  await page.reload();
  await expect(rows).toHaveCount(1);
  expect(await page.content()).not.toContain(first.slice(22));

  await page.getByRole('button', { name: `Change ${name}` }).click();
  await dialog.getByLabel('May be used from').fill('here');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('“here” is neither');
  await expectAccessible(page);
  await dialog.getByLabel('May be used from').fill('');
  await dialog.getByLabel('Restricted').check();
  await dialog.getByLabel(/payments:write/).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(rows).toContainText('payments:write');
  await expect.poll(() => statusWith(first)).toBe(403);
  await page.getByRole('button', { name: `Change ${name}` }).click();
  // The last permission that is taken away is not full access: that is chosen as such.
  await dialog.getByLabel(/payments:write/).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Must have at least one permission');
  await dialog.getByLabel('Full access').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => statusWith(first)).toBe(404);

  await page.getByRole('button', { name: `Rotate ${name}` }).click();
  await expect(dialog).toContainText('Until then both keys work.');
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  const second = await takeKey(dialog);
  expect(second).not.toBe(first);
  await expect.poll(() => statusWith(second)).toBe(404);
  expect(await statusWith(first)).toBe(404);
  await expect(rows).toHaveCount(2);

  await rows
    .filter({ hasText: 'Active' })
    .getByRole('button', { name: `Revoke ${name}` })
    .click();
  await expect(dialog).toContainText(/has never been used|was last used/);
  await dialog.getByRole('button', { name: `Revoke “${name}”` }).click();
  await expect(page.getByText(`Key “${name}” was revoked.`)).toBeVisible();
  await expect.poll(() => statusWith(second)).toBe(401);
  // The one before it still has its overlap.
  expect(await statusWith(first)).toBe(404);
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button', { name: `Revoke ${name}` }).click();
  await dialog.getByRole('button', { name: `Revoke “${name}”` }).click();
  await expect.poll(() => statusWith(first)).toBe(401);
  await expect(rows).toHaveCount(0);
  await page.getByRole('radio', { name: /^Ended/ }).click();
  await expect(rows).toHaveCount(2);
});
