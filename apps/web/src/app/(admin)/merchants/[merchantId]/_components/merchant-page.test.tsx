// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, checkbox, expectCalls, expectProblem, expectRefusal, field, openDashboard, undo } from '#/testing/dashboard.tsx';
import { MerchantPage, ProfileForm } from './merchant-page.tsx';
import type { Profile } from './profile.ts';

const page = openDashboard('?mode=test&merchant=m-1');
const PROFILE: Profile = {
  merchantId: 'm-1',
  merchantNumber: 'M-100000',
  name: 'Balogun Books',
  defaultRedirectUrl: 'https://shop.example',
  sessionMinutes: 60,
  timeZone: 'Africa/Lagos',
  refundDuplicates: false,
  rulesNeedApproval: false,
  holdoutPercent: 0,
  agentsMayWriteLive: false,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
let permissions: string[];
beforeEach(() => {
  permissions = ['merchant:update'];
  page.on('me', () => ({ access: [{ merchantId: 'm-1', permissions }] }));
});

async function showForm() {
  const user = page.show(<ProfileForm profile={PROFILE} />);
  await screen.findByRole('button', { name: 'Save changes' });
  return user;
}

test('only what was changed is sent, and can be undone', async () => {
  page.on('merchants.update', () => ({ kind: 'updated', merchant: { ...PROFILE, name: 'Yaba' } }));
  const user = await showForm();
  expect(button('Save changes').disabled).toBe(true);
  await user.clear(field('Default redirect address'));
  await user.click(checkbox(/Agents may save drafts/));
  screen.getByText('Applies to new payments immediately.');
  await user.click(button('Save changes'));
  await expectCalls(page, 'merchants.update', [
    { merchantId: 'm-1', changes: { defaultRedirectUrl: null, agentsMayWriteLive: true } },
  ]);
  await waitFor(() => expect(page.toasts()).toEqual(['Yaba was changed.']));
  await undo();
  expect(page.calls('merchants.update')[1]).toEqual({
    merchantId: 'm-1',
    changes: { defaultRedirectUrl: 'https://shop.example', agentsMayWriteLive: false },
  });
});

test('a problem is beside its field, and what was typed stays until it is discarded', async () => {
  page.on('merchants.update', () => ({ kind: 'invalid', problems: [{ field: 'name', message: 'is taken' }] }));
  const user = await showForm();
  await user.clear(field('Name'));
  await user.type(field('Name'), 'Yaba{Enter}');
  await expectProblem('textbox', 'Name', 'Is taken.');
  expect(field('Name').value).toBe('Yaba');
  await user.click(button('Undo changes'));
  expect(field('Name').value).toBe('Balogun Books');
  expect(field('Name').getAttribute('aria-invalid')).toBe('false');
});

test('what was typed stays when another person saves, and the other fields follow', async () => {
  let stored = PROFILE;
  page.on('merchants.byId', () => stored);
  const user = page.show(<MerchantPage merchantId="m-1" />);
  await screen.findByRole('button', { name: 'Save changes' });
  await user.clear(field('Name'));
  await user.type(field('Name'), 'Yaba');
  stored = { ...PROFILE, sessionMinutes: 45, updatedAt: new Date(1) };
  await page.readAgain();
  await waitFor(() => expect(field('Session length').value).toBe('45'));
  expect(field('Name').value).toBe('Yaba');
});

test('a failed call is said at the form', async () => {
  page.on('merchants.update', () => {
    throw new Error('The server did not answer.');
  });
  const user = await showForm();
  await user.type(field('Name'), '!{Enter}');
  await expectRefusal('The server did not answer.');
});

test('without the permission nothing can be changed', async () => {
  permissions = [];
  page.show(<ProfileForm profile={PROFILE} />);
  screen.getByText('Only operators and owners can change this.');
  expect(field('Name').closest('fieldset')?.disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
});
