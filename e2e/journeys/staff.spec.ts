import type { Page } from '@playwright/test';
import { untilHydrated } from './fixtures/hydrated.ts';
import { expectAccessible } from './fixtures/overlays.ts';
import { expectToArrive } from './fixtures/staff.ts';
import { demo, expect, merchant, test } from './fixtures/test.ts';

/** Signs in with the keyboard alone. */
async function signIn(page: Page, password = demo.staffPassword): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').focus();
  await page.keyboard.type(demo.staffEmail);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

test('every page of the dashboard redirects to sign-in without a session', async ({ page }) => {
  for (const path of ['/', '/overview', '/payments', '/developers']) {
    await page.goto(path);
    await expectToArrive(page, /\/sign-in/);
  }
  await expectAccessible(page);
});

test('a wrong password is refused with the same message as an unknown address', async ({ page }) => {
  await signIn(page, 'not-the-password-at-all');
  const refusal = page.getByRole('alert').filter({ hasText: /./ }).first();
  await expect(refusal).toBeVisible();
  await expectToArrive(page, /\/sign-in/);
});

test('what is typed before the script of the page has come is kept', async ({ context }) => {
  const page = await context.newPage();
  const { promise: scripts, resolve: send } = Promise.withResolvers<void>();
  await page.route('**/_next/**/*.js', async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto('/sign-in', { waitUntil: 'commit' });
  const email = page.getByLabel('E-mail address');
  await email.fill(demo.staffEmail);
  send();
  await untilHydrated(page);
  await page.getByLabel('Password', { exact: true }).fill(demo.staffPassword);
  await expect(email).toHaveValue(demo.staffEmail);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectToArrive(page, /\/overview/);
});

test('staff find a payment that was just made, see its whole timeline, and leave', async ({ page }) => {
  const { payment } = await merchant.initiate();
  await signIn(page);
  await expectToArrive(page, /\/overview/);

  await page.goto('/payments?mode=test');
  await page.getByLabel('Search payments').fill(payment.merchantOrderId);
  await page.getByRole('link', { name: payment.merchantOrderId }).first().click();
  await expect(page).toHaveURL(new RegExp(payment.paymentId));
  const panel = page.getByRole('complementary').or(page.getByRole('dialog')).filter({ hasText: payment.merchantOrderId });
  await expect(panel.first()).toContainText('Pending');
  await expectAccessible(page);

  await page.goto(`/payments/${payment.paymentId}?mode=test`);
  await expect(page.getByText(payment.routing.rationale).first()).toBeVisible();
  await expect(page.getByText('ada@example.com').filter({ visible: true }).first()).toBeVisible();

  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectToArrive(page, /\/sign-in/);
  await page.goto('/payments');
  await expectToArrive(page, /\/sign-in/);
});
