import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { lastMonth, settlementOf } from './fixtures/pages.ts';
import { addStaffUser, call, openBrowser, read, send, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

const merchants = z.array(z.object({ merchantId: z.uuid(), merchantNumber: z.string() }));
const month = lastMonth();

/** The demo's third merchant, whose month no other journey closes. */
async function merchantOf(page: Parameters<typeof read>[0]): Promise<string> {
  const listed = await read(page, 'merchants.list', {}, merchants);
  return listed.find(({ merchantNumber }) => merchantNumber === 'M-100003')?.merchantId ?? '';
}

test('finance closes last month, another person reviews it, and it is signed off for good', async ({ page, browser }) => {
  await signInAsOwner(page);
  const merchantId = await merchantOf(page);
  await page.goto(`/month-close?mode=test&merchant=${merchantId}`);
  // On the first day of a month the one before last is open as well.
  const name = new Date(`${month}-15T00:00:00Z`).toLocaleDateString('en-GB', { month: 'short', year: 'numeric' });
  const row = page.getByRole('row').filter({ hasText: 'To close' });
  await row.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name: 'Held by gateways, NGN' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Close month…' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close month' }).click();
  await expect(page.getByText('Not signed off')).toBeVisible();

  const reviewer = await openBrowser(browser);
  await addStaffUser(page, reviewer, 'finance');
  await reviewer.goto(`/month-close/${month}?mode=test&merchant=${merchantId}`);
  await reviewer.getByRole('button', { name: 'Review…' }).click();
  await reviewer.getByLabel('Note').fill('Agrees with the bank.');
  await reviewer.getByRole('button', { name: 'Record review' }).click();
  await expect(reviewer.getByText('Agrees with the bank.')).toBeVisible();
  await reviewer.close();

  await page.reload();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON' }).click();
  expect((await download).suggestedFilename()).toBe(`month-close-M-100003-test-${month}.json`);
  await page.getByRole('button', { name: 'Sign off…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign off' }).click();
  await expect(page.getByText('Signed off', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign off…' })).toHaveCount(0);
  await expectAccessible(page);

  const query = `{ monthClose(filter: { mode: test, merchantId: "${merchantId}", month: "${month}" }) { state totals { closing } } }`;
  const answer = JSON.stringify(await send(page, '/api/graphql', { query }));
  expect(answer).toContain('SIGNED');
});

test('a review of months is switched off by two people, whose request waits for the other', async ({ page, browser }) => {
  await signInAsOwner(page);
  const created = z.object({ merchant: z.object({ merchantId: z.uuid() }) });
  const { merchant } = await call(page, 'merchants.create', { name: `Reviewed Stores ${Date.now()}` }, created);
  const address = `/month-close?mode=test&merchant=${merchant.merchantId}`;
  const other = await openBrowser(browser);
  await addStaffUser(page, other, 'finance');
  await page.goto(address);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Require a second person’s review' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Require a second person’s review' }).click();
  await expect(page.getByText('A second person has to review a month before it is signed off.')).toBeVisible();
  await page.getByRole('button', { name: 'Let one person sign off' }).click();
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('button', { name: 'Withdraw the request' }).first()).toBeVisible();
  await expect(page.getByText('A second person has to review a month before it is signed off.')).toBeVisible();
  await expectAccessible(page);

  await other.goto(`/overview?mode=test&merchant=${merchant.merchantId}`);
  await other.getByRole('link', { name: 'Review' }).click();
  await expect(other.getByText(/requested that one person can sign off months/)).toBeVisible();
  await expectAccessible(other);
  await other.getByRole('button', { name: 'Agree' }).click();
  await expect(other.getByText('One person can close a month and sign it off.')).toBeVisible();
  await other.close();
});

test('a journal is refused until its accounts are mapped, and then downloaded', async ({ page }) => {
  await signInAsOwner(page);
  const merchantId = await merchantOf(page);
  await settlementOf(page, merchantId);
  await page.goto(`/journal?mode=test&merchant=${merchantId}`);
  await expect(page.getByRole('heading', { name: 'Download' })).toBeVisible();
  await page.getByText('Sage 50').last().click();
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect(page.getByText(/^No file was made\. Sage 50 needs the account code of Sales/)).toBeVisible();

  await page.getByRole('button', { name: 'Account mapping…' }).click();
  const dialog = page.getByRole('dialog');
  const codes = dialog.getByLabel('Code', { exact: true });
  await expect(codes.first()).toBeVisible();
  for (const [at, code] of (await codes.all()).entries()) await code.fill(String(4000 + at));
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save mapping' }).click();
  await expect(dialog).toBeHidden();
  await page.getByText('Sage 50').last().click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^journal-sage-M-100003-test-NGN-/);
});
