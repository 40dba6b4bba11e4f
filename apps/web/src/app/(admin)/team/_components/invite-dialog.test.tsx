// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, checkbox, expectCalls, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { InviteDialog } from './invite-dialog.tsx';

const page = openDashboard('?mode=test');
beforeEach(() => {
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Balogun Books', merchantNumber: 'M-1' }]);
  page.on('team.list', () => ({ people: [], invitations: [] }));
});
const showDialog = (everywhere = true) =>
  page.show(<InviteDialog merchantScope={{ everywhere, merchantIds: ['m-1'] }} onClose={() => undefined} />);

test('a person is invited with a role for each merchant, and the link is shown', async () => {
  page.on('team.invite', () => ({
    kind: 'invited',
    name: 'Ada',
    email: 'ada@shop.example',
    address: 'https://pay.example/invitation#1',
    expiresAt: new Date(0),
    delivery: 'sent',
  }));
  const user = showDialog();
  await user.click(await screen.findByRole('button', { name: 'Add a role for another merchant' }));
  await user.click(checkbox(/Require two-factor sign-in/));
  await user.type(field('E-mail address'), ' Ada@shop.example ');
  await user.type(field('Name'), 'Ada{Enter}');
  await screen.findByRole('dialog', { name: 'Ada is invited' });
  expect(page.calls('team.invite')).toEqual([
    {
      email: 'ada@shop.example',
      name: 'Ada',
      grants: [
        { merchantId: null, role: 'viewer' },
        { merchantId: 'm-1', role: 'viewer' },
      ],
      twoFactorRequired: false,
    },
  ]);
});

test('a role is changed and removed; one for a merchant of one’s own is the first', async () => {
  page.on('team.invite', () => ({ kind: 'unknown_merchant' }));
  const user = showDialog(false);
  await user.click(await screen.findByRole('combobox', { name: /Role 1/ }));
  await user.click(await screen.findByRole('option', { name: 'Finance' }));
  await user.type(field('E-mail address'), 'ada@shop.example');
  await user.type(field('Name'), 'Ada{Enter}');
  await expectRefusal('One of the merchants does not exist any more.');
  expect(page.calls('team.invite')).toMatchObject([
    { grants: [{ merchantId: 'm-1', role: 'finance' }], twoFactorRequired: true },
  ]);
});

test('what is missing is beside each field, and nothing is sent', async () => {
  const user = showDialog();
  await user.type(field('E-mail address'), 'ada');
  await user.tab();
  await expectProblem('textbox', 'E-mail address', 'Must be an e-mail address.');
  await user.click(button('Create invitation'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  await expectCalls(page, 'team.invite', []);
});

test('a refusal is beside its field or at the form', async () => {
  page.on('team.invite', () => ({ kind: 'invalid', problems: [{ field: 'email', message: 'must be of the company' }] }));
  const user = showDialog();
  await user.type(field('E-mail address'), 'ada@shop.example');
  await user.type(field('Name'), 'Ada{Enter}');
  await expectProblem('textbox', 'E-mail address', 'Must be of the company.');
  page.on('team.invite', () => ({ kind: 'exists', staffId: 's-1', name: 'Ada' }));
  await user.click(button('Create invitation'));
  await expectRefusal('Ada is on the team with this address already. Give them a role under their name instead.');
});
