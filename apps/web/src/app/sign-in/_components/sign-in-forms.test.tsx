// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { openAuthServer } from '#/testing/auth-server.ts';
import { button, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { ForgotForm } from '../forgot/forgot-form.tsx';
import { CodeForm } from './code-form.tsx';
import { PasswordForm } from './sign-in.tsx';

const page = openDashboard('');
const auth = openAuthServer();
const onSignedIn = vi.fn();
const onCodeNeeded = vi.fn();
beforeEach(() => {
  onSignedIn.mockReset();
  onCodeNeeded.mockReset();
});
const password = () => screen.getByLabelText<HTMLInputElement>('Password');

test('a person signs in with address and password by Enter', async () => {
  auth.on('/sign-in/email', { body: {} });
  const user = page.show(<PasswordForm onSignedIn={onSignedIn} onCodeNeeded={onCodeNeeded} />);
  expect(document.activeElement).toBe(field('E-mail address'));
  await user.type(field('E-mail address'), ' ada@shop.example ');
  await user.type(password(), 'correct horse{Enter}');
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  expect(auth.posted()).toEqual([{ path: '/sign-in/email', body: { email: 'ada@shop.example', password: 'correct horse' } }]);
});

test('a code is asked for where one is needed', async () => {
  auth.on('/sign-in/email', { body: { twoFactorRedirect: true } });
  const user = page.show(<PasswordForm onSignedIn={onSignedIn} onCodeNeeded={onCodeNeeded} />);
  await user.type(field('E-mail address'), 'ada@shop.example');
  await user.type(password(), 'correct horse{Enter}');
  await waitFor(() => expect(onCodeNeeded).toHaveBeenCalledOnce());
});

test('what is missing is said beside each field, and nothing is sent', async () => {
  const user = page.show(<PasswordForm onSignedIn={onSignedIn} onCodeNeeded={onCodeNeeded} />);
  await user.type(field('E-mail address'), 'ada');
  await user.tab();
  await expectProblem('textbox', 'E-mail address', 'This is not an e-mail address.');
  await user.clear(field('E-mail address'));
  await user.click(button('Sign in'));
  await expectProblem('textbox', 'E-mail address', 'Enter your e-mail address.');
  expect(password().getAttribute('aria-invalid')).toBe('true');
  expect(auth.posted()).toEqual([]);
});

test('a wrong password is said at the form, and the address stays', async () => {
  auth.on('/sign-in/email', { status: 401, body: { code: 'INVALID_EMAIL_OR_PASSWORD' } });
  const user = page.show(<PasswordForm onSignedIn={onSignedIn} onCodeNeeded={onCodeNeeded} />);
  await user.type(field('E-mail address'), 'ada@shop.example');
  await user.type(password(), 'wrong{Enter}');
  await expectRefusal('E-mail address or password is wrong.');
  expect(field('E-mail address').value).toBe('ada@shop.example');
});

test('the code of the app is read whatever is between its digits; a wrong one is removed', async () => {
  auth.on('/two-factor/verify-totp', { status: 401 });
  const user = page.show(<CodeForm onSignedIn={onSignedIn} onStartAgain={() => undefined} />);
  await user.type(field('Six-digit code'), '123{Enter}');
  await expectRefusal('The code has six digits.');
  await user.clear(field('Six-digit code'));
  await user.type(field('Six-digit code'), '123 456');
  await expectRefusal('This code is wrong or has been used. Wait for the next one.');
  expect(field('Six-digit code').value).toBe('');
  expect(auth.posted()).toEqual([{ path: '/two-factor/verify-totp', body: { code: '123456' } }]);
});

test('a backup code signs in where the app is not at hand', async () => {
  auth.on('/two-factor/verify-backup-code', { body: {} });
  const user = page.show(<CodeForm onSignedIn={onSignedIn} onStartAgain={() => undefined} />);
  await user.click(button('Use a backup code'));
  await user.type(field('Backup code'), ' abcde-12345 {Enter}');
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  expect(auth.posted()).toEqual([{ path: '/two-factor/verify-backup-code', body: { code: 'abcde-12345' } }]);
});

test('a link to set a new password is requested', async () => {
  auth.on('/link/request-reset', { body: { byEmail: true } });
  const user = page.show(<ForgotForm />);
  await user.click(button('Ask for a link'));
  await expectProblem('textbox', 'E-mail address', 'Enter your e-mail address.');
  await user.type(field('E-mail address'), 'ada@shop.example{Enter}');
  await screen.findByText(/If a team member has the address ada@shop.example/);
  expect(auth.posted()).toEqual([{ path: '/link/request-reset', body: { email: 'ada@shop.example' } }]);
});

test('a request that was refused says why', async () => {
  auth.on('/link/request-reset', { status: 429, body: { message: 'Try again in 5 min.' } });
  const user = page.show(<ForgotForm />);
  await user.type(field('E-mail address'), 'ada@shop.example{Enter}');
  await expectRefusal('Try again in 5 min.');
});
