// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, checkbox, expectProblem, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { IssueDialog } from './token-dialogs.tsx';

const page = openDashboard('?mode=live');
beforeEach(() => {
  page.on('me', () => ({ access: [{ merchantId: null, permissions: ['report:export'] }] }));
  page.on('merchants.list', () => [
    { merchantId: 'm-1', name: 'Balogun Books', merchantNumber: 'M-1' },
    { merchantId: 'm-2', name: 'Yaba Gadgets', merchantNumber: 'M-2' },
  ]);
});

function showDialog() {
  return page.show(
    <>
      <IssueDialog publicUrl="https://pay.example" onDone={() => undefined} onClose={() => undefined} />
      <SecretHost />
    </>,
  );
}

test('a token for reports is of the merchants and modes chosen, and is shown once with a first query', async () => {
  page.on('machineTokens.issue', () => ({ kind: 'issued', token: 'fin_1', tokenId: 't-1' }));
  const user = showDialog();
  expect(document.activeElement).toBe(field('Name'));
  expect(radio('After 90 days').checked).toBe(true);
  await user.click(await screen.findByRole('checkbox', { name: /^Read reports/ }));
  await user.click(await screen.findByRole('checkbox', { name: 'Yaba Gadgets' }));
  await user.click(checkbox('Test'));
  await user.type(field('Name'), ' Month end {Enter}');
  await screen.findByRole('dialog', { name: 'Token “Month end” was created' });
  expect(screen.getByRole('region', { name: 'A first query with it' }).textContent).toContain('Bearer fin_1');
  expect(screen.queryByRole('radiogroup', { name: 'MCP client' })).toBeNull();
  await user.click(button('I have stored it'));
  const rest = { name: 'Month end', scopes: ['reports'], expiresAt: expect.any(Date) };
  expect(page.calls('machineTokens.issue')).toEqual([{ ...rest, merchantIds: ['m-2'], modes: ['test', 'live'] }]);
});

test('a token of an agent names no merchants, whatever the page is about, and is shown with the configuration of a client', async () => {
  page.on('machineTokens.issue', () => ({ kind: 'issued', token: 'agt_1', tokenId: 't-1' }));
  const user = showDialog();
  await user.click(checkbox(/^Read as an agent/));
  await user.click(checkbox(/^Save drafts/));
  expect(screen.queryByRole('group', { name: 'Merchants' })).toBeNull();
  await user.type(field('Name'), 'Support{Enter}');
  await screen.findByRole('dialog', { name: 'Token “Support” was created' });
  expect(screen.getByRole('region', { name: 'The configuration of the client' }).textContent).toContain('Bearer agt_1');
  expect(screen.queryByRole('region', { name: 'A first query with it' })).toBeNull();
  await user.click(button('I have stored it'));
  const rest = { name: 'Support', expiresAt: expect.any(Date) };
  expect(page.calls('machineTokens.issue')).toEqual([{ ...rest, scopes: ['tools', 'drafts'], merchantIds: [], modes: [] }]);
});

test('what is missing is beside each field, and nothing is requested', async () => {
  const user = showDialog();
  await user.click(button('Create token'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  await expectProblem('group', 'May', 'Must have at least one.');
  await user.click(await screen.findByRole('checkbox', { name: /^Read reports/ }));
  await user.click(checkbox(/^Save drafts/));
  await user.click(checkbox('Live'));
  await user.click(button('Create token'));
  await expectProblem('group', 'May', 'Must let it read as an agent where it saves drafts.');
  await expectProblem('group', 'Merchants', 'Must have at least one merchant.');
  await expectProblem('group', 'Modes', 'Must be test, live or both.');
  expect(page.calls('machineTokens.issue')).toEqual([]);
});

test('who may not export is not offered reports, and a refusal is beside its field', async () => {
  page.on('me', () => ({ access: [{ merchantId: null, permissions: ['report:read'] }] }));
  page.on('machineTokens.issue', () => ({
    kind: 'invalid',
    problems: [{ field: 'expiresAt', message: 'must lie in the future' }],
  }));
  const user = showDialog();
  await screen.findByRole('checkbox', { name: /^Read as an agent/ });
  expect(screen.queryByRole('checkbox', { name: /^Read reports/ })).toBeNull();
  await user.click(checkbox(/^Read as an agent/));
  await user.type(field('Name'), 'Support{Enter}');
  await expectProblem('group', 'Expires', 'Must lie in the future.');
});
