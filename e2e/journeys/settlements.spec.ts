import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, MAIN, test } from './fixtures/test.ts';

/** From the start of the worker until it has read and matched the demo's settlements, on a busy machine. */
const READ_MS = 150_000;

/** Settlements of the demo that are not explained, with room to spare; all of them are some 170. */
const FEW = 10;

test('finance sees how much of the settled money is explained, and works on what is not', { tag: MAIN }, async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/settlements?mode=test');
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Unexplained only')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Show missing' })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: READ_MS });
  const explained = page.getByRole('region', { name: 'Settled money, NGN' });
  await expect(explained).toContainText('99.');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Unexplained only' }).click();
  const settlements = page.getByRole('table', { name: 'Settlements' });
  await expect.poll(() => settlements.getByRole('row').count()).toBeLessThan(FEW);
  await settlements.getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Lines' })).toBeVisible();
  await page.getByRole('button', { name: 'Not matched only' }).click();
  await expect(page.getByRole('table', { name: 'Lines' }).getByText('Not matched').first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Settlements', exact: true }).last().click();
  await page.getByRole('tab', { name: 'Discrepancies' }).click();
  const discrepancies = page.getByRole('table', { name: 'Discrepancies' });
  await expect(discrepancies).toBeVisible();
  await page.goto('/settlements?mode=test&view=discrepancies&kind=OVERCHARGED');
  await discrepancies.getByRole('link', { name: 'Overcharged', exact: true }).first().click();
  const panel = page.getByRole('complementary', { name: 'Discrepancy' });
  await panel.getByRole('radio', { name: 'Explained' }).check();
  await panel.getByRole('textbox', { name: 'Reason' }).fill('The fee was agreed by phone.');
  await panel.getByRole('button', { name: 'Close as explained' }).click();
  await expect(panel.getByText('The fee was agreed by phone.')).toBeVisible();
  await panel.getByRole('button', { name: 'Open again' }).click();
  await expect(panel.getByRole('button', { name: /Close as/ })).toBeVisible();
});

test('the calendar of an account says when its money is expected', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/settlements?mode=test&view=accounts');
  const row = page.getByRole('row').filter({ hasText: 'squad-main' }).first();
  await row.getByRole('button', { name: /Change/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Paid out after').fill('2');
  await dialog.getByLabel('Holidays').fill('2026-12-25\n2026-12-26');
  await dialog.getByRole('button', { name: 'Save calendar' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('2 working days');
  await expect(row).toContainText('Set by staff, 2 holidays');
  await row.getByRole('button', { name: /Change/ }).click();
  await dialog.getByRole('button', { name: 'Follow what Squad publishes' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('1 working day');
});
