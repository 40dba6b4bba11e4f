import type { Page } from '@playwright/test';
import { untilHydrated } from './fixtures/hydrated.ts';
import { expectAccessible } from './fixtures/overlays.ts';
import {
  accept,
  addStaffUser,
  enterPassword,
  expectToArrive,
  invite,
  newInvitee,
  nextOneTimeCode,
  oneTimeCode,
  openBrowser,
  PASSWORD,
  signIn,
  signInAsOwner,
  signOut,
} from './fixtures/staff.ts';
import { expect, MAIN, test } from './fixtures/test.ts';

/** The status a procedure answers the staff user of a page. */
function statusOf(page: Page, path: string, input: object): Promise<number> {
  return page.evaluate(
    async ([procedure, body]) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`/api/trpc/${procedure}`, { method: 'POST', headers, body: JSON.stringify({ json: body }) });
      return response.status;
    },
    [path, input] as const,
  );
}

/** The team, searched for one person: only rows near the window exist, and other journeys invite people too. */
function teamWith({ email }: { readonly email: string }): string {
  return `/team?mode=test&q=${encodeURIComponent(email)}`;
}

const ROLES = [
  { role: 'Owner', sees: ['Team', 'Audit'], invites: true },
  { role: 'Operator', sees: ['Team', 'Audit'], invites: false },
  { role: 'Finance', sees: ['Team', 'Audit'], invites: false },
  { role: 'Viewer', sees: [], invites: false },
] as const;

for (const { role, sees, invites } of ROLES) {
  test(`a staff user invited as ${role.toLowerCase()} joins by the link, and sees and may do what the role may and nothing else`, async ({
    page,
    browser,
  }) => {
    const invitee = newInvitee();
    await signInAsOwner(page);
    const link = await invite(page, invitee, role);
    const otherPage = await openBrowser(browser);
    await otherPage.goto(link);
    await expect(otherPage.getByText(`${role} for all merchants`)).toBeVisible();
    if (role === 'Owner') await expectAccessible(otherPage);
    await accept(otherPage, link);

    const navigation = otherPage.getByRole('navigation', { name: 'Main' }).first();
    await expect(navigation.getByRole('link', { name: 'Payments' })).toBeVisible();
    for (const name of ['Team', 'Audit']) {
      await expect(navigation.getByRole('link', { name })).toHaveCount(sees.some((seen) => seen === name) ? 1 : 0);
    }
    await otherPage.goto(teamWith(invitee));
    if (sees.length === 0) await expect(otherPage.getByText('Your role does not allow this.')).toBeVisible();
    else await expect(otherPage.getByRole('button', { name: invitee.name })).toBeVisible();
    await expect(otherPage.getByRole('button', { name: 'Invite a person' })).toHaveCount(invites ? 1 : 0);
    const unknownUser = { staffId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11', disabled: true };
    expect(await statusOf(otherPage, 'team.setDisabled', unknownUser)).toBe(invites ? 404 : 403);

    // The page of an invitation, and how often its link works, are the same for every role.
    if (role === 'Owner') {
      const late = await openBrowser(browser);
      await late.goto(link);
      await expect(late.getByText('This invitation is no longer valid')).toBeVisible();
    }
  });
}

test('a second factor is set up, required, and passed by a code and by a backup code, each once', { tag: MAIN }, async ({
  page,
  browser,
}) => {
  await signInAsOwner(page);
  const otherPage = await openBrowser(browser);
  const invitee = await addStaffUser(page, otherPage, 'viewer');

  await otherPage.goto('/account?mode=test');
  await otherPage.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
  await otherPage.getByLabel('Your password').fill(PASSWORD);
  await otherPage.getByRole('button', { name: 'Continue' }).click();
  await expect(otherPage.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(otherPage);
  const key = (await otherPage.getByRole('button', { name: /Copy the key/ }).textContent())?.trim() ?? '';
  await otherPage.getByLabel('The six digits the app shows').fill(oneTimeCode(key, Date.now()));
  await otherPage.getByRole('button', { name: 'Turn on' }).click();
  const listed = otherPage.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();
  await expectAccessible(otherPage);
  await otherPage.getByLabel('I have saved these codes').check();
  await otherPage.getByRole('button', { name: 'Done' }).click();
  await expect(otherPage.getByText('Two-factor sign-in is on.')).toBeVisible();

  await signOut(otherPage);
  await enterPassword(otherPage, invitee.email, PASSWORD);
  const code = nextOneTimeCode(key);
  await otherPage.getByLabel('Six-digit code').fill(code);
  await expectToArrive(otherPage, /\/overview/);

  await signOut(otherPage);
  await enterPassword(otherPage, invitee.email, PASSWORD);
  await otherPage.getByLabel('Six-digit code').fill(code);
  await expect(otherPage.getByText('This code is wrong or has been used.')).toBeVisible();
  await otherPage.getByRole('button', { name: 'Use a backup code' }).click();
  await otherPage.getByRole('textbox', { name: 'Backup code' }).fill(codes[0] ?? '');
  await otherPage.getByRole('button', { name: 'Continue' }).click();
  await expectToArrive(otherPage, /\/overview/);

  // Phone and codes are lost: the owner resets the second factor, and the password alone is enough.
  await page.goto(teamWith(invitee));
  await page.getByRole('button', { name: invitee.name }).click();
  await page.getByRole('button', { name: 'Reset two-factor sign-in' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset two-factor sign-in' }).click();
  await expect(page.getByText(`Two-factor sign-in of ${invitee.name} was reset`)).toBeVisible();
  await enterPassword(otherPage, invitee.email, PASSWORD);
  await expectToArrive(otherPage, /\/overview/);
});

test('a password is forgotten: the owner makes a link, it sets a new one once, and every session ends', async ({
  page,
  browser,
}) => {
  await signInAsOwner(page);
  const otherPage = await openBrowser(browser);
  const elsewhere = await openBrowser(browser);
  const invitee = await addStaffUser(page, otherPage, 'finance');
  await signIn(elsewhere, invitee.email, PASSWORD);
  for (const signedIn of [otherPage, elsewhere]) {
    await signedIn.goto('/account?mode=test');
    await expect(signedIn).toHaveURL(/\/account/);
  }

  const lost = await openBrowser(browser);
  await lost.goto('/sign-in');
  await lost.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(lost.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await lost.getByLabel('E-mail address').fill(invitee.email);
  await lost.getByRole('button', { name: 'Ask for a link' }).click();
  await expect(lost.getByRole('heading', { name: 'Ask an owner for a link' })).toBeVisible();
  await expectAccessible(lost);

  await page.goto(teamWith(invitee));
  await page.getByRole('button', { name: invitee.name }).click();
  await page.getByRole('button', { name: 'Create reset link' }).click();
  const shown = page.getByRole('dialog').getByText(/\/reset-password#/);
  const link = (await shown.textContent()) ?? '';
  await lost.goto(link);
  await lost.getByLabel('New password', { exact: true }).fill('another horse battery');
  await lost.getByRole('button', { name: 'Set the password' }).click();
  await expectToArrive(lost, /\/overview/);
  await elsewhere.reload();
  await expectToArrive(elsewhere, /\/sign-in/);

  await otherPage.reload();
  await expectToArrive(otherPage, /\/sign-in/);
  await otherPage.goto(link);
  await expect(otherPage.getByText('This link is no longer valid')).toBeVisible();
});

test('a staff user signs out elsewhere, is switched off by the owner at once, and let in again by undoing that', async ({
  page,
  browser,
}) => {
  await signInAsOwner(page);
  const here = await openBrowser(browser);
  const elsewhere = await openBrowser(browser);
  const invitee = await addStaffUser(page, here, 'operator');
  await signIn(elsewhere, invitee.email, PASSWORD);
  await elsewhere.goto('/account?mode=test');
  await expect(elsewhere).toHaveURL(/\/account/);

  await here.goto('/account?mode=test');
  await expectAccessible(here);
  await here.getByRole('button', { name: 'Sign out of the other session' }).click();
  await expect(here.getByText('1 session was ended.')).toBeVisible();
  await elsewhere.reload();
  await expectToArrive(elsewhere, /\/sign-in/);
  await here.reload();
  await expect(here).toHaveURL(/\/account/);

  await page.goto(teamWith(invitee));
  await page.getByRole('button', { name: invitee.name }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Disable ${invitee.name}` })
    .click();
  await expect(page.getByText(`${invitee.name} can no longer sign in`)).toBeVisible();
  await here.reload();
  await expectToArrive(here, /\/sign-in/);
  await enterPassword(here, invitee.email, PASSWORD);
  await expect(here.getByText('This account is disabled.')).toBeVisible();

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`${invitee.name} can no longer sign in`)).toHaveCount(0);
  await enterPassword(here, invitee.email, PASSWORD);
  await expectToArrive(here, /\/overview/);
});

test('the audit log shows who did what, before and after, that it is complete, and exports as a file', async ({
  page,
  browser,
}) => {
  await signInAsOwner(page);
  const invitee = await addStaffUser(page, await openBrowser(browser), 'viewer');
  await page.goto('/audit?mode=test');
  await expect(page.getByText('Chain verified')).toBeVisible();
  // Other journeys invite people too.
  const invited = page.getByRole('row').filter({ hasText: invitee.name }).getByRole('button', { name: 'Invited team member' });
  await invited.click();
  const entry = page.getByRole('complementary', { name: 'Entry' });
  await expect(entry.getByText(invitee.email)).toBeVisible();
  await expect(page).toHaveURL(/entry=/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /CSV/ }).click()]);
  expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.csv$/);
});

test('every page is reached from the keyboard, single keys can be switched off, and none does anything while one types', async ({
  page,
}) => {
  await signInAsOwner(page);
  await page.goto('/overview?mode=test');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill('team');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/team/);

  // At once after the shortcut, on a page that has not loaded the menu yet.
  await page.reload();
  await untilHydrated(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('chargeback');
  await expect(page.getByRole('combobox', { name: 'Search', exact: true })).toHaveValue('chargeback');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/disputes/);

  await page.getByRole('main').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page).toHaveURL(/\/payments/);
  await expect(page.getByRole('searchbox').first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox').first()).toBeFocused();
  await page.keyboard.type('g o');
  await expect(page.getByRole('searchbox').first()).toHaveValue('g o');
  await expect(page).toHaveURL(/\/payments/);

  await page.getByRole('main').focus();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expectAccessible(page);
  await list.getByLabel('Single-key shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('main').focus();
  await page.keyboard.press('?');
  await expect(list).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search', exact: true })).toBeVisible();
});
