import type { Locator, Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, faultyMerchant, MAIN, test } from './fixtures/test.ts';

/** The merchant whose gateways get faults: its payments carry its id. */
async function troubledMerchantId(page: Page): Promise<string> {
  const { payment } = await faultyMerchant.initiate({ paymentMethod: 'bank', requestedGateway: 'paystack' });
  const input = encodeURIComponent(JSON.stringify({ json: { paymentId: payment.paymentId } }));
  const answer = await page.request.get(`/api/trpc/payments.byId?input=${input}`);
  const reply = z.object({ result: z.object({ data: z.object({ json: z.object({ merchantId: z.string() }) }) }) });
  return reply.parse(await answer.json()).result.data.json.merchantId;
}

/** Publishes thresholds, after they were tried on the past as the page demands. */
async function publish(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await page.getByRole('button', { name: 'Try on last month' }).click();
  await expect(page.getByRole('region', { name: 'Preview on last month' })).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('routed by them within seconds');
  await question.getByRole('button', { name: 'Publish thresholds' }).click();
  await expect(page.getByLabel('Messages')).toContainText('are active');
}

/** Restores the defaults; does nothing where they are active. */
async function resetThresholds(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  if (await page.getByText('No changes').isVisible()) return;
  await publish(page);
}

/** Pays there until the row shows the account as healthy: only payments prove recovery. */
async function expectRecovery(row: Locator): Promise<void> {
  await expect(async () => {
    await faultyMerchant.initiate({ paymentMethod: 'qr', requestedGateway: 'paystack' });
    await expect(row).toContainText('Healthy', { timeout: 2_000 });
  }).toPass({ timeout: 120_000 });
}

test('staff watch an account go red and recover, without reloading the page', { tag: MAIN }, async ({ page, gateways }) => {
  await signInAsOwner(page);
  const merchantId = await troubledMerchantId(page);
  await page.goto(`/health/thresholds?mode=test&merchant=${merchantId}`);
  await resetThresholds(page);

  await page.getByLabel('Minimum checkouts for a rate').fill('0');
  await page.getByLabel('Consecutive failures for down').fill('2');
  await expect(page.getByText('Must lie between 2 and 1000.')).toBeVisible();
  await page.getByLabel('Minimum checkouts for a rate').fill('10');
  await page.getByLabel('First pause').fill('15');
  await page.getByLabel('Longest pause').fill('15');
  await page.getByLabel('Consecutive successful probe payments').fill('1');
  await page.getByLabel('Minimum time between probe payments').fill('0.5');
  await page.getByLabel('Minimum time probing').fill('1');
  await publish(page);

  await page.goto(`/health?mode=test&merchant=${merchantId}`);
  const account = page.getByRole('article', { name: 'paystack-main at Paystack' });
  const row = account.getByRole('listitem').filter({ hasText: 'QR' });
  await expect(page.getByText('Live, updated')).toBeVisible();
  // Payments end any fault state left by earlier journeys.
  await expectRecovery(row);
  await page.evaluate(() => document.body.setAttribute('data-never-reloaded', 'true'));

  await gateways.setFault('paystack', 'down');
  for (let n = 0; n < 3; n++) await faultyMerchant.initiate({ paymentMethod: 'qr', requestedGateway: 'paystack' });
  await expect(row).toContainText('Down', { timeout: 20_000 });
  const incident = page.getByRole('region', { name: 'Incident' });
  // The worker looks every ten seconds; by then the account may be probed.
  await expect(incident).toContainText(/(Down( again)?|Probing) since \d\d:\d\d: .*\(Paystack, QR\)/, { timeout: 30_000 });
  await expect(incident).toContainText(/payments? \(NGN [\d,.]+\) affected: (\d+|none) recovered/);
  await expectAccessible(page);
  await incident.getByRole('button', { name: 'Drain paystack-main' }).click();
  await page.getByRole('dialog', { name: 'Drain paystack-main?' }).getByRole('button', { name: 'Drain paystack-main' }).click();
  await expect(incident).toContainText('Drained');
  await incident.getByRole('button', { name: 'End drain of paystack-main' }).click();
  await expect(incident).not.toContainText('Drained');

  await row.getByRole('button').click();
  const panel = page.getByRole('complementary', { name: 'Health of paystack-main' });
  await expect(panel.getByRole('region', { name: 'Evidence' })).toContainText('failed because of the gateway');
  await expectAccessible(page);

  await gateways.heal('paystack');
  await expectRecovery(row);
  await expect(page.getByRole('region', { name: 'Outages' })).toContainText('paystack-main, QR');
  await expect(page.locator('body[data-never-reloaded="true"]')).toBeVisible();

  await page.goto(`/health/thresholds?mode=test&merchant=${merchantId}`);
  await resetThresholds(page);
});

test('staff drain an account with a reason and an end, and release it', { tag: MAIN }, async ({ page }) => {
  await signInAsOwner(page);
  await page.goto(`/health?mode=test&merchant=${await troubledMerchantId(page)}`);
  const account = page.getByRole('article', { name: 'flutterwave-main at Flutterwave' });
  await account.getByRole('listitem').filter({ hasText: 'QR' }).getByRole('button').click();
  const panel = page.getByRole('complementary', { name: 'Health of flutterwave-main' });
  await panel.getByRole('button', { name: 'Set an override' }).click();

  const form = page.getByRole('dialog', { name: 'Override flutterwave-main' });
  await form.getByRole('button', { name: 'Drain flutterwave-main, QR' }).click();
  await expect(form).toContainText('Must not be empty.');
  await form.getByLabel('Reason').fill('The gateway announced maintenance');
  await form.getByRole('combobox', { name: 'Ends' }).click();
  await page.getByRole('option', { name: 'After 30 minutes' }).click();
  await expect(form).toContainText('in the last 24 hours');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Drain flutterwave-main, QR' }).click();

  await expect(account).toContainText('Drained, QR');
  const overrides = panel.getByRole('region', { name: 'Overrides' });
  await expect(overrides).toContainText('The gateway announced maintenance');
  const { payment } = await faultyMerchant.initiate({ paymentMethod: 'qr', requestedGateway: 'flutterwave' });
  expect(payment.recommendedGateway.name).toBe('paystack');

  await overrides.getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End override' }).click();
  await expect(overrides).toContainText('No overrides: rules and health decide.');

  // One that is planned changes nothing before its start.
  await panel.getByRole('button', { name: 'Set an override' }).click();
  await form.getByRole('radio', { name: 'Schedule', exact: true }).click();
  const start = form.getByRole('group', { name: 'Start', exact: true });
  await start.getByRole('textbox', { name: 'Date' }).fill('1 Jan 2099');
  await start.getByRole('textbox', { name: 'Time' }).fill('02:00');
  await form.getByLabel('Reason').fill('Planned maintenance');
  await form.getByRole('button', { name: 'Plan drain: flutterwave-main, QR' }).click();
  await expect(form).toContainText('Must be at most 366 days ahead.');
  const nextWeek = new Date(Date.now() + 7 * 86_400_000).toLocaleDateString('en-GB', { dateStyle: 'medium' });
  await start.getByRole('textbox', { name: 'Date' }).fill(nextWeek);
  await form.getByRole('button', { name: 'Plan drain: flutterwave-main, QR' }).click();
  await expect(overrides).toContainText('Planned: drain');
  await expect(account).toContainText('1 planned override');
  const later = await faultyMerchant.initiate({ paymentMethod: 'qr', requestedGateway: 'flutterwave' });
  expect(later.payment.recommendedGateway.name).toBe('flutterwave');
  await overrides.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel override' }).click();
  await expect(overrides).toContainText('No overrides: rules and health decide.');
  await expect(account).not.toContainText('Drained');
});

test('staff connect an account, find by a test that its key is wrong, replace it, and disable the account', async ({ page }) => {
  await signInAsOwner(page);
  const merchantId = await troubledMerchantId(page);
  await page.goto(`/gateways?mode=test&merchant=${merchantId}`);
  const label = `paystack-trial-${Date.now().toString(36)}`;
  await page.getByRole('button', { name: 'paystack-main', exact: true }).click();
  const known = page.getByRole('complementary', { name: 'Account paystack-main' });
  await known.getByRole('button', { name: 'Test connection' }).click();
  await expect(known).toContainText(/Works\. Paystack answered in \d+ ms and accepts the credentials\./, { timeout: 15_000 });
  const baseUrl = (await known.getByText(/^http:\/\/127\.0\.0\.1:\d+\/paystack$/).textContent()) ?? '';

  await page.goto(`/gateways?mode=test&merchant=${merchantId}&do=connect`);
  const form = page.getByRole('dialog', { name: 'Connect a test account' });
  await form.getByLabel('Paystack', { exact: true }).check();
  await form.getByLabel('Label').fill(label);
  await form.getByRole('button', { name: `Connect ${label}` }).click();
  await expect(form).toContainText('Must be given.');
  await form.getByLabel('Secret key').fill('sk_test_not_the_right_one_0000');
  await form.getByLabel('Another base address').fill(baseUrl);
  await expect(form).toContainText('NGN 10,000.00 by card costs NGN 250.00; you receive NGN 9,750.00.');
  await expectAccessible(page);
  await form.getByRole('button', { name: `Connect ${label}` }).click();

  const panel = page.getByRole('complementary', { name: `Account ${label}` });
  await expect(panel).toContainText('····0000');
  await expect(panel).not.toContainText('sk_test_not');
  await expect(panel.getByRole('region', { name: 'Webhook address' })).toContainText(/\/webhooks\/paystack\/[0-9a-f-]{36}/);
  await panel.getByRole('button', { name: 'Test connection' }).click();
  await expect(panel).toContainText('Does not work. The credentials are at fault', { timeout: 15_000 });

  await panel.getByRole('button', { name: 'Replace' }).click();
  await panel.getByLabel('Secret key').fill('sk_test_another_one_1111');
  await panel.getByRole('button', { name: `Replace credentials of ${label}` }).click();
  await expect(panel).toContainText('····1111');
  await expect(panel.getByRole('region', { name: 'Webhook deliveries' })).toContainText('No genuine webhook received yet');
  await expectAccessible(page);

  await panel.getByRole('button', { name: `Disable ${label}` }).click();
  const question = page.getByRole('dialog', { name: `Disable ${label}?` });
  await expect(question).toContainText('0 payments went there in the last 24 hours; no rule names it');
  await question.getByRole('button', { name: `Disable ${label}` }).click();
  await expect(panel.getByRole('heading', { name: 'Disabled' })).toBeVisible();
});
