// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAuthServer } from '#/testing/auth-server.ts';
import { button, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { ResetForm } from '../reset-password/reset-form.tsx';
import { InvitationForm } from './invitation-form.tsx';

const page = openDashboard('');
const auth = openAuthServer();
const assign = vi.fn<(address: string) => void>();
beforeEach(() => {
  window.location.hash = '#link-1';
  assign.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation((address) => assign(String(address)));
});
afterEach(() => vi.restoreAllMocks());
const newPassword = () => screen.findByLabelText<HTMLInputElement>('New password');

const INVITATION = {
  kind: 'invitation',
  email: 'ada@shop.example',
  name: 'Ada',
  invitedBy: 'Chidi',
  roles: [{ merchant: null, role: 'viewer' }],
  twoFactorRequired: false,
};

test('an invited person joins with a name and a password, and is signed in', async () => {
  auth.on('/link/look', { body: INVITATION });
  auth.on('/link/accept', { body: {} });
  auth.on('/sign-in/email', { body: {} });
  const user = page.show(<InvitationForm />);
  await user.type(await newPassword(), 'a few words in a row');
  await user.type(field('Your name'), ' Obi {Enter}');
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/overview'));
  expect(auth.posted().slice(1)).toEqual([
    { path: '/link/accept', body: { token: 'link-1', name: 'Ada Obi', password: 'a few words in a row' } },
    { path: '/sign-in/email', body: { email: 'ada@shop.example', password: 'a few words in a row' } },
  ]);
});

test('a name and a password are needed; a refusal is said at the form', async () => {
  auth.on('/link/look', { body: INVITATION });
  auth.on('/link/accept', { status: 410, body: { code: 'LINK_GONE', message: 'This invitation was withdrawn.' } });
  const user = page.show(<InvitationForm />);
  const password = await newPassword();
  await user.clear(field('Your name'));
  await user.click(button('Join'));
  await expectProblem('textbox', 'Your name', 'Must not be empty.');
  expect(password.getAttribute('aria-invalid')).toBe('true');
  expect(auth.posted()).toHaveLength(1);
  await user.type(field('Your name'), 'Ada');
  await user.type(password, 'a few words in a row{Enter}');
  await expectRefusal('This invitation was withdrawn.');
  expect(password.value).toBe('a few words in a row');
});

test('a new password is set by a link, and a code is asked for where one is needed', async () => {
  auth.on('/link/look', { body: { kind: 'password_reset', email: 'ada@shop.example' } });
  auth.on('/link/reset', { body: {} });
  auth.on('/sign-in/email', { body: { twoFactorRedirect: true } });
  const user = page.show(<ResetForm />);
  await user.type(await newPassword(), 'short{Enter}');
  await screen.findByText('Must have 12 characters or more; 7 are missing.');
  expect(auth.posted()).toHaveLength(1);
  await user.clear(await newPassword());
  await user.type(await newPassword(), 'a few words in a row{Enter}');
  await screen.findByRole('textbox', { name: 'Six-digit code' });
  expect(auth.posted().slice(1)).toEqual([
    { path: '/link/reset', body: { token: 'link-1', password: 'a few words in a row' } },
    { path: '/sign-in/email', body: { email: 'ada@shop.example', password: 'a few words in a row' } },
  ]);
});
