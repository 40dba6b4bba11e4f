import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';
import { merchantOf, signInAsOwner } from './fixtures/staff.ts';
import { expect, faultyMerchant, test } from './fixtures/test.ts';

/* One of the last journeys with payments, by its name: other merchants learn from the outage, and their accounts serve few payments for a while. */

const METHOD = { paymentMethod: 'ussd', requestedGateway: 'paystack' } as const;
/** Checkouts begun one after the other; once ten have failed the account is down, and the others may go elsewhere. */
const BEGUN = 12;
const FAILED_MIN = 10;

/** The number that a text begins with. */
async function numberOf(text: Locator): Promise<number> {
  return Number.parseInt(((await text.textContent()) ?? '').replaceAll(',', ''), 10);
}

test('an outage has a page: its payments are one list, a note stays, and the story is downloaded', async ({ page, gateways }) => {
  test.slow();
  await signInAsOwner(page);
  const { payment } = await faultyMerchant.initiate(METHOD);
  const merchantId = await merchantOf(page, payment.paymentId);
  await gateways.setFault('paystack', 'down');
  for (let n = 0; n < BEGUN; n++) await faultyMerchant.initiate(METHOD);

  await page.goto(`/alerts?mode=test&merchant=${merchantId}`);
  // Until the incident is opened the row leads to the account's health. Alerts of other kinds name the gateway too.
  const title = page
    .getByRole('table', { name: 'Open alerts' })
    .locator('a[href^="/alerts/"]')
    .filter({ hasText: /Paystack \(.*\) is (down|degraded)|Correlated outage at .*Paystack/ });
  // Customers go on coming: of those before, an account that was down a minute ago may have got few.
  await expect(async () => {
    await faultyMerchant.initiate(METHOD);
    await expect(title.first()).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 120_000 });
  await title.first().click();
  await expect(page).toHaveURL(/\/alerts\/[0-9a-f-]{36}\?mode=test/);
  const story = page.getByRole('region', { name: 'Timeline' });
  await expect(story).toContainText('First failed checkout: paystack-main');
  await expect(story).toContainText('Incident opened');
  await gateways.heal('paystack');

  const impact = page.getByRole('region', { name: 'Impact' });
  const affected = impact.getByRole('link', { name: /^\d+ payments?$/ }).first();
  await expect(affected).toBeVisible();
  await expect(page.getByRole('article', { name: 'Health of paystack-main' }).first()).toBeVisible({ timeout: 90_000 });
  await expectAccessible(page);

  const address = page.url();
  const note = `Called Paystack's desk ${Date.now()}`;
  await page.getByLabel('Add a note').fill(note);
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText(note);
  const postMortem = page.getByRole('region', { name: 'Post-mortem' });
  await postMortem.getByRole('button', { name: /Write|Edit/ }).click();
  await postMortem.getByLabel('Text').fill('What happened: Paystack answered 500.');
  await postMortem.getByRole('button', { name: 'Save post-mortem' }).click();
  await expect(postMortem).toContainText('Paystack answered 500.');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText(note);

  const count = await numberOf(affected);
  expect(count).toBeGreaterThanOrEqual(FAILED_MIN);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Markdown' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^incident-\d{4}-\d{2}-\d{2}-[0-9a-f]{8}\.md$/);
  const markdown = await readFile(await file.path(), 'utf8');
  expect(markdown).toContain(`${count} payments (NGN `);
  expect(markdown).toContain(`> ${note}`);
  expect(markdown).toContain('## Post-mortem\n\nWhat happened: Paystack answered 500.');

  await affected.click();
  await expect(page).toHaveURL(/\/payments\?mode=test.*affected=/);
  const all = page.getByRole('group', { name: 'Status' }).getByRole('button', { name: /^All/ });
  await expect(all).toHaveText(`All${count}`);
  // Only the rows in sight of a long table are in the page.
  await expect(page.getByRole('table', { name: 'Payments' }).getByRole('row').nth(FAILED_MIN)).toBeAttached();
  // Each part of the impact opens a list of as many.
  await page.goto(address);
  const parts = impact.getByRole('definition').getByRole('link');
  await expect(parts.first()).toBeVisible();
  const part = await numberOf(parts.first());
  await parts.first().click();
  await expect(page).toHaveURL(/outcome=/);
  await expect(all).toHaveText(`All${part}`);
  await page.goto(`${address.replace(/\/alerts\/.*/, '')}/payments?mode=test&merchant=${merchantId}&fallback=paystack`);
  await expect(all).not.toHaveText('All0');
});
