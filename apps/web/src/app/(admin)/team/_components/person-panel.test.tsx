// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectRefusal, openDashboard } from '#/testing/dashboard.tsx';
import { PersonRoles } from './person-panel.tsx';
import { type Person, useMerchants, usePersonActions } from './use-team.ts';

const page = openDashboard('?mode=test');
const ADA: Person = Object({ staffId: 'ada', name: 'Ada Obi', roles: [{ merchantId: 'm-1', role: 'viewer', group: null }] });
const SCOPE = { everywhere: false, merchantIds: ['m-1', 'm-2', 'm-3'] };

function Roles({ person = ADA }: { person?: Person }) {
  const actions = usePersonActions(person, useMerchants().name);
  return <PersonRoles person={person} merchantScope={SCOPE} canManage actions={actions} />;
}

beforeEach(() => {
  page.on('merchants.list', () =>
    ['Balogun Books', 'Yaba Gadgets', 'Kano Textiles'].map((name, at) => ({ merchantId: `m-${at + 1}`, name })),
  );
});

async function choose(user: ReturnType<typeof page.show>, list: RegExp, option: string) {
  await user.click(await screen.findByRole('combobox', { name: list }));
  await user.click(await screen.findByRole('option', { name: option }));
}

test('a role is added for a merchant for whom the person has none', async () => {
  page.on('team.grantRole', () => ({ kind: 'granted' }));
  const user = page.show(<Roles />);
  await choose(user, /^Role to add/, 'Finance');
  await choose(user, /^Merchant of the role to add/, 'Kano Textiles');
  await user.click(button('Add role'));
  await waitFor(() => expect(page.toasts()).toEqual(['Ada Obi is Finance for Kano Textiles.']));
  expect(page.calls('team.grantRole')).toEqual([{ staffId: 'ada', merchantId: 'm-3', role: 'finance' }]);
});

test('a refusal is said beside the choice, and nothing is confirmed', async () => {
  page.on('team.grantRole', () => ({ kind: 'unknown_merchant' }));
  const user = page.show(<Roles />);
  await screen.findByRole('combobox', { name: /Yaba Gadgets/ });
  await user.click(button('Add role'));
  await expectRefusal('There is no such merchant.');
  expect(page.toasts()).toEqual([]);
});

test('a role that a group gives is shown with its group, and not to be changed by hand', async () => {
  const roles = [{ merchantId: 'm-1', role: 'finance', group: 'Cash' }];
  const person: Person = Object({ ...ADA, roles });
  page.show(<Roles person={person} />);
  expect(await screen.findByText(/From the group “Cash”/)).toBeDefined();
  expect(screen.queryByRole('combobox', { name: /Role for Balogun Books/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Remove the role/ })).toBeNull();
});
