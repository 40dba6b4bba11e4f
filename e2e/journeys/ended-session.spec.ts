import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';
import { addStaffUser, expectToArrive, openBrowser, PASSWORD, send, signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

/** Ends the session as another tab of the same browser does. */
async function endElsewhere(page: Page): Promise<void> {
  await send(page, '/api/auth/sign-out', {});
}

const again = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

async function signInAgain(page: Page, email: string): Promise<void> {
  const dialog = again(page);
  await expect(dialog).toBeVisible();
  await expect(dialog.getByLabel('E-mail address')).toHaveValue(email);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in and go on' }).click();
  await expect(dialog).toBeHidden();
}

test('what was typed in a dialog is saved after the person has signed in again in place', async ({ browser, page }) => {
  await signInAsOwner(page);
  const own = await openBrowser(browser);
  const { email } = await addStaffUser(page, own, 'owner');
  await own.goto('/merchants?mode=test');
  await own.getByRole('button', { name: 'Add merchant' }).click();
  const form = own.getByRole('dialog', { name: 'Add merchant' });
  const name = `Kept ${Date.now()}`;
  await form.getByLabel('Name', { exact: true }).fill(name);
  await endElsewhere(own);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(again(own)).toBeVisible();
  await expectAccessible(own);
  await own.keyboard.press('Escape');
  await signInAgain(own, email);
  await expectToArrive(own, /\/merchants\/[0-9a-f-]{36}/);
  await expect(own.getByRole('heading', { name })).toBeVisible();
});

test('a note on a page that reads again by itself is kept when the session has ended', async ({ browser, page }) => {
  const { payment } = await merchant.initiate();
  await signInAsOwner(page);
  const own = await openBrowser(browser);
  const { email } = await addStaffUser(page, own, 'operator');
  await own.goto(`/payments/${payment.paymentId}?mode=test`);
  const note = own.getByLabel('Add a note');
  await note.fill('The customer called at noon.');
  await endElsewhere(own);
  // The page asks for the payment again by itself.
  await signInAgain(own, email);
  await expect(note).toHaveValue('The customer called at noon.');
  await own.getByRole('button', { name: 'Save note' }).click();
  await expect(own.getByText('The customer called at noon.').first()).toBeVisible();
});

test('a page with nothing entered leaves for the sign-in page, and returns', async ({ browser, page }) => {
  await signInAsOwner(page);
  const own = await openBrowser(browser);
  const { email } = await addStaffUser(page, own, 'viewer');
  await own.goto('/payments?mode=test');
  await endElsewhere(own);
  await expectToArrive(own, /\/sign-in\?next=/);
  await own.getByLabel('E-mail address').fill(email);
  await own.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await own.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectToArrive(own, /\/payments\?mode=test/);
});

test('a sign-in in another tab counts, and one as another person does not', async ({ browser, page }) => {
  await signInAsOwner(page);
  const own = await openBrowser(browser);
  const { email } = await addStaffUser(page, own, 'owner');
  await own.goto('/merchants?mode=test');
  await own.getByRole('button', { name: 'Add merchant' }).click();
  const form = own.getByRole('dialog', { name: 'Add merchant' });
  await form.getByLabel('Name', { exact: true }).fill(`Kept ${Date.now()}`);
  await endElsewhere(own);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(again(own)).toBeVisible();
  const look = () => own.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  await addStaffUser(page, own, 'owner');
  await look();
  await expect(again(own)).toContainText(`What ${email} entered here cannot be sent`);
  await send(own, '/api/auth/sign-in/email', { email, password: PASSWORD });
  await look();
  await expectToArrive(own, /\/merchants\/[0-9a-f-]{36}/);
});

test('Back, a link and Cancel ask before what was typed is lost', async ({ browser, page }) => {
  await signInAsOwner(page);
  const own = await openBrowser(browser);
  await addStaffUser(page, own, 'owner');
  await own.goto('/merchants?mode=test');
  await own.getByRole('button', { name: 'Add merchant' }).click();
  const form = own.getByRole('dialog', { name: 'Add merchant' });
  const name = form.getByLabel('Name', { exact: true });
  await name.fill('Half a name');
  const question = form.getByText('What you entered is not saved.');
  for (const leave of [
    () => form.getByRole('button', { name: 'Cancel' }).click(),
    () => own.keyboard.press('Escape'),
    () => own.evaluate(() => window.history.back()),
  ]) {
    await leave();
    await expect(question).toBeVisible();
    await form.getByRole('button', { name: 'Keep editing' }).click();
    await expect(name).toHaveValue('Half a name');
    await expect(own).toHaveURL(/\/merchants\?/);
  }
  // The address of the dialog is one step further than that of the list.
  await own.evaluate(() => window.history.back());
  await form.getByRole('button', { name: 'Discard' }).click();
  await expect(form).toBeHidden();
  await expect(own).toHaveURL(/\/merchants\?mode=test$/);
});
