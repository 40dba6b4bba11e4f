// @vitest-environment happy-dom

import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { hasSessionEnded, signedInAgain } from '#/auth/ended-session.ts';
import { openAuthServer } from '#/testing/auth-server.ts';
import { button, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { SessionEnd } from './session-end.tsx';

const page = openDashboard('?mode=live');
const auth = openAuthServer();
const ADA = { staffId: 's-1', email: 'ada@shop.example', access: [] };
let resumed: string[] = [];

/** A page that knows its person, and has calls that wait. */
function Page() {
  const { data } = useQuery(useTRPC().me.queryOptions());
  return data === undefined ? null : <SessionEnd />;
}

async function showEnded() {
  page.on('me', () => ADA);
  const user = page.show(<Page />);
  for (const call of ['save', 'list']) void signedInAgain().then(() => resumed.push(call));
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  return user;
}

beforeEach(() => {
  resumed = [];
});

test('the same person signs in by password and code, and every call goes on', async () => {
  auth.on('/sign-in/email', { body: { twoFactorRedirect: true } });
  auth.on('/two-factor/verify-totp', { body: {} });
  const user = await showEnded();
  expect(field('E-mail address').value).toBe('ada@shop.example');
  expect(field('E-mail address').readOnly).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  await user.click(button('Sign in and go on'));
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await user.type(await screen.findByRole('textbox', { name: 'Six-digit code' }), '123456');
  await waitFor(() => expect(resumed).toEqual(['save', 'list']));
  expect(auth.posted()).toEqual([
    { path: '/sign-in/email', body: { email: 'ada@shop.example', password: 'correct horse' } },
    { path: '/two-factor/verify-totp', body: { code: '123456' } },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(hasSessionEnded()).toBe(false);
});

test('a wrong password is said, and nothing goes on; Escape does not close it', async () => {
  auth.on('/sign-in/email', { status: 401, body: {} });
  const user = await showEnded();
  await user.type(screen.getByLabelText('Password'), 'wrong{Enter}');
  await expectRefusal('E-mail address or password is wrong.');
  await user.keyboard('{Escape}');
  screen.getByRole('dialog');
  expect(resumed).toEqual([]);
  auth.on('/sign-in/email', { body: {} });
  await user.click(button('Sign in and go on'));
  await waitFor(() => expect(resumed).toEqual(['save', 'list']));
});

test('what one person entered is not sent in the name of another', async () => {
  auth.on('/sign-in/email', { body: {} });
  const user = await showEnded();
  page.on('me', () => ({ ...ADA, staffId: 's-2', email: 'bola@shop.example' }));
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await expectRefusal('bola@shop.example is signed in now. What ada@shop.example entered here cannot be sent in their name.');
  expect(resumed).toEqual([]);
  page.on('me', () => ADA);
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(resumed).toEqual(['save', 'list']));
});
