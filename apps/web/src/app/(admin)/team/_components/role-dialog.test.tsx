// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, checkbox, expectCalls, field, openDashboard } from '#/testing/dashboard.tsx';
import { RoleList } from './role-list.tsx';

const page = openDashboard('?mode=test');
const RISK = { roleId: 'r-1', name: 'Risk', permissions: ['payment:read'], testPermissions: ['payment:refund'], people: 2 };
const show = (...roles: readonly (typeof RISK)[]) => {
  const offered = [
    { permission: 'payment:read', text: 'find payments', isByMode: false },
    { permission: 'payment:refund', text: 'refund payments', isByMode: true },
  ];
  page.on('team.roles', () => ({ roles, offered }));
  return page.show(<RoleList />);
};
beforeEach(() => page.allow('team:read', 'team:manage'));

test('a role is made of permissions, some of them in test mode alone', async () => {
  page.on('team.createRole', () => ({ kind: 'saved', role: RISK }));
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'New role' }));
  await screen.findByRole('dialog', { name: 'New role' });
  await user.type(field('Name'), ' Risk ');
  await user.click(checkbox('Find payments'));
  await user.click(
    within(screen.getByRole('group', { name: 'In test mode also' })).getByRole('checkbox', { name: 'Refund payments' }),
  );
  await user.click(button('Create role'));
  await expectCalls(page, 'team.createRole', [
    { name: 'Risk', permissions: ['payment:read'], testPermissions: ['payment:refund'] },
  ]);
  await waitFor(() => expect(page.toasts()).toEqual(['Role “Risk” was created.']));
});

test('a name that is taken is said beside it', async () => {
  page.on('team.createRole', () => ({ kind: 'name_taken' }));
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'New role' }));
  await screen.findByRole('dialog', { name: 'New role' });
  await user.type(field('Name'), 'Risk');
  await user.click(button('Create role'));
  await screen.findByText(/must not be the name of another role/i);
});

test('a role reads as a sentence, and is changed for everyone who has it', async () => {
  page.on('team.changeRole', () => ({ kind: 'saved', role: RISK }));
  const user = show(RISK);
  await screen.findByText('May find payments; in test mode also refund payments.');
  await user.click(button('Change the role Risk'));
  await screen.findByText('Applies at once to 2 people with this role.');
  await user.click(
    within(screen.getByRole('group', { name: 'People with this role may' })).getByRole('checkbox', { name: 'Refund payments' }),
  );
  expect(screen.queryByRole('group', { name: 'In test mode also' })).toBeNull();
  await user.click(button('Save changes'));
  await waitFor(() =>
    expect(page.calls('team.changeRole')).toMatchObject([{ roleId: 'r-1', permissions: ['payment:read', 'payment:refund'] }]),
  );
});

test('a role that people have is not removed, and says who has it', async () => {
  page.on('team.removeRole', () => ({ kind: 'in_use', people: 2, invitations: 1, groups: 0 }));
  const user = show(RISK);
  await user.click(await screen.findByRole('button', { name: 'Remove the role Risk' }));
  const reason = 'The role is in use: 2 people have it and 1 invitation gives it. Give them another role first.';
  await waitFor(() => expect(page.toasts()).toEqual([reason]));
});

test('who does not manage the team of all merchants reads the roles alone', async () => {
  page.allow('team:read');
  show(RISK);
  await screen.findByText('May find payments; in test mode also refund payments.');
  expect(screen.queryByRole('button')).toBeNull();
});
