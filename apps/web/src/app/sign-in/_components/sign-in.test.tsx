// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openAuthServer } from '#/testing/auth-server.ts';
import { button, openDashboard } from '#/testing/dashboard.tsx';
import { describeProviderRefusal } from '../provider-refusals.ts';
import { ProviderButtons } from './sign-in.tsx';

const page = openDashboard('');
const auth = openAuthServer();
const OKTA = { providerId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11', name: 'Okta' };

test('a sign-in by a provider begins with the page to go to afterwards, and says why it did not', async () => {
  auth.on('/sign-in/sso', { status: 404, body: { code: 'UNKNOWN_PROVIDER', message: 'This way of signing in was removed.' } });
  const user = page.show(<ProviderButtons next="/audit" providers={[OKTA]} refusal={null} />);
  await user.click(button('Sign in with Okta'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This way of signing in was removed.'));
  expect(auth.posted()).toEqual([{ path: '/sign-in/sso', body: { providerId: OKTA.providerId, next: '/audit' } }]);
});

test('a refusal is a sentence of ours, whatever the address says', () => {
  page.show(<ProviderButtons next="/" providers={[OKTA]} refusal={describeProviderRefusal('groups_missing')} />);
  expect(screen.getByRole('alert').textContent).toContain('the claim of groups is missing');
  for (const code of ['toString', '<b>call 0800 …</b>']) expect(describeProviderRefusal(code)).toMatch(/^The provider could not/);
});
