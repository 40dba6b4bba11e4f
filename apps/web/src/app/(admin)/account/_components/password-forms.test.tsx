// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { SetUpTwoFactor } from '#/auth/set-up-two-factor.tsx';
import { openAuthServer } from '#/testing/auth-server.ts';
import { button, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { DisableTwoFactor, NewBackupCodes } from './account-forms.tsx';
import { ChangePassword } from './account-page.tsx';

const page = openDashboard('');
const auth = openAuthServer();
const secret = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const problemOf = (label: string) => document.getElementById(secret(label).getAttribute('aria-describedby') ?? '')?.textContent;

/** Opens the form for a new password, which is loaded then. */
async function openForm() {
  const user = page.show(<ChangePassword />);
  await user.click(button('Change your password'));
  await screen.findByLabelText('Current password');
  return user;
}

test('a password is changed, and the form closes', async () => {
  auth.on('/change-password', { body: {} });
  const user = await openForm();
  await user.type(secret('Current password'), 'old one');
  await user.type(secret('New password'), 'a few words in a row{Enter}');
  await screen.findByRole('button', { name: 'Change your password' });
  expect(auth.posted()).toEqual([
    { path: '/change-password', body: { currentPassword: 'old one', newPassword: 'a few words in a row' } },
  ]);
  expect(page.toasts()).toEqual(['Your password is changed, and you are signed out everywhere else.']);
});

test('a new password that is too short says how many characters are missing, and is not sent', async () => {
  const user = await openForm();
  await user.type(secret('New password'), 'short');
  await user.tab();
  await waitFor(() => expect(problemOf('New password')).toBe('Must have 12 characters or more; 7 are missing.'));
  await user.click(button('Change password'));
  await waitFor(() => expect(problemOf('Current password')).toBe('Must not be empty.'));
  expect(auth.posted()).toEqual([]);
});

test('a wrong present password is said at the form', async () => {
  auth.on('/change-password', { status: 400 });
  const user = await openForm();
  await user.type(secret('Current password'), 'wrong');
  await user.type(secret('New password'), 'a few words in a row{Enter}');
  await expectRefusal('The current password is wrong.');
});

test('new backup codes and turning off need the password', async () => {
  auth.on('/two-factor/generate-backup-codes', { body: { backupCodes: ['abcde-12345'] } });
  const user = page.show(<NewBackupCodes onDone={() => undefined} />);
  await user.click(button('Make new codes'));
  await waitFor(() => expect(problemOf('Your password')).toBe('Must not be empty.'));
  expect(auth.posted()).toEqual([]);
  await user.type(secret('Your password'), 'old one{Enter}');
  await screen.findByText('abcde-12345');
  expect(auth.posted()).toEqual([{ path: '/two-factor/generate-backup-codes', body: { password: 'old one' } }]);
});

test('two-factor sign-in stays on with a wrong password', async () => {
  auth.on('/two-factor/disable', { status: 400 });
  const onDone = vi.fn();
  const user = page.show(<DisableTwoFactor onDone={onDone} onClose={() => undefined} />);
  await user.type(secret('Your password'), 'wrong{Enter}');
  await expectRefusal('This is not your password.');
  expect(onDone).not.toHaveBeenCalled();
});

test('two-factor sign-in is set up with the password and a code from the app', async () => {
  auth.on('/two-factor/enable', { body: { totpURI: 'otpauth://totp/x?secret=ABCDEFGH', backupCodes: ['abcde-12345'] } });
  auth.on('/two-factor/verify-totp', { status: 401 });
  const user = page.show(<SetUpTwoFactor onDone={() => undefined} />);
  await user.type(secret('Your password'), 'old one{Enter}');
  const code = await screen.findByRole('textbox', { name: 'The six digits the app shows' });
  await user.type(code, '123{Enter}');
  await expectRefusal('The code has six digits.');
  await user.type(code, '456{Enter}');
  await expectRefusal('This code is wrong. Check that your phone shows the right time, and enter the next one.');
  expect(field('The six digits the app shows').value).toBe('');
  auth.on('/two-factor/verify-totp', { body: {} });
  await user.type(code, '654 321{Enter}');
  await screen.findByText('abcde-12345');
  expect(auth.posted().at(-1)).toEqual({ path: '/two-factor/verify-totp', body: { code: '654321' } });
});
