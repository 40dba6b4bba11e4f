// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, openDashboard } from '#/testing/dashboard.tsx';
import { TokensPage } from './tokens-page.tsx';

const page = openDashboard('?mode=test');
const DAY_MS = 86_400_000;
const token = {
  tokenId: 't-1',
  name: 'Month end',
  lastFour: 'aB3x',
  staffName: 'Ada Obi',
  scopes: ['reports'],
  merchantIds: ['m-1', 'm-2'],
  modes: ['test', 'live'],
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + DAY_MS),
  revokedAt: null,
  lastUsedAt: null,
};
const agent = { ...token, tokenId: 't-2', name: 'Support', staffName: 'Chidi Eze', merchantIds: [], modes: [] };

beforeEach(() => {
  page.on('me', () => ({ access: [{ merchantId: null, permissions: ['report:read'] }] }));
  page.on('savedViews.list', () => []);
  page.on('machineTokens.list', () => [
    token,
    { ...agent, scopes: ['tools', 'drafts'] },
    { ...token, tokenId: 't-3', name: 'Everything', scopes: ['tools', 'reports'], merchantIds: ['m-1'], modes: ['live'] },
    { ...agent, tokenId: 't-4', name: 'Former', scopes: ['tools'], revokedAt: new Date() },
    { ...agent, tokenId: 't-5', name: 'Old', scopes: ['tools'], expiresAt: new Date(Date.now() - DAY_MS) },
  ]);
});

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') ?? document.body);

test('one list has every token that works with its scopes and who issued it, and the ones that ended apart', async () => {
  const user = page.show(<TokensPage publicUrl="https://pay.example" />);
  const books = await rowOf('Month end');
  books.getByText('Reports of 2 merchants, test and live');
  books.getByText('Ada Obi');
  books.getByText('never');
  const support = await rowOf('Support');
  support.getByText('Agent: reads, saves drafts');
  support.getByText('Chidi Eze');
  (await rowOf('Everything')).getByText('Reports of 1 merchant, live; Agent: reads');
  expect(screen.queryByText('Former')).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Ended (2)' }));
  (await rowOf('Former')).getByText(/^Revoked/);
  (await rowOf('Old')).getByText('Expired');
  expect(screen.queryByText('Month end')).toBeNull();
  expect(screen.queryByRole('button', { name: /^Revoke/ })).toBeNull();
});

test('a token is revoked once that is confirmed', async () => {
  page.on('machineTokens.revoke', () => ({ kind: 'revoked' }));
  const user = page.show(<TokensPage publicUrl="https://pay.example" />);
  await user.click(await screen.findByRole('button', { name: 'Revoke Support' }));
  const dialog = await screen.findByRole('dialog', { name: 'Revoke “Support”?' });
  expect(dialog.textContent).toContain('The token of Chidi Eze that ends in aB3x stops working immediately.');
  expect(page.calls('machineTokens.revoke')).toEqual([]);
  await user.click(button('Revoke “Support”'));
  await expectCalls(page, 'machineTokens.revoke', [{ tokenId: 't-2' }]);
  expect(page.toasts()).toEqual(['Token “Support” was revoked.']);
});

test('the commands of reports are for those who may export', async () => {
  page.show(<TokensPage publicUrl="https://pay.example" />);
  await rowOf('Month end');
  screen.getByRole('heading', { name: 'Connect an agent' });
  expect(screen.queryByRole('heading', { name: 'Every payment, as a file' })).toBeNull();
});
