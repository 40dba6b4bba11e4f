// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, openDashboard } from '#/testing/dashboard.tsx';
import { ProvisioningList } from './provisioning-list.tsx';

const page = openDashboard('?mode=test');
const TOKEN = { id: 'token', lastFour: 'x9Qz', createdAt: new Date(), lastUsedAt: null };
const show = () => {
  const provider = { providerId: 'entra', name: 'Entra ID', tokens: [TOKEN], people: 2, groups: 1 };
  page.on('provisioning.list', () => ({ address: 'https://pay.example/scim/v2', providers: [provider] }));
  return page.show(<ProvisioningList />);
};

test('a token is revoked after a question that names it', async () => {
  page.on('provisioning.revokeToken', () => ({ kind: 'revoked' }));
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Revoke the token that ends in x9Qz' }));
  await user.click(button('Revoke token'));
  await waitFor(() => expect(page.toasts()).toEqual(['The token of Entra ID that ended in x9Qz was revoked.']));
  expect(page.calls('provisioning.revokeToken')).toEqual([{ tokenId: 'token' }]);
});

test('a third token is refused with what to do', async () => {
  page.on('provisioning.issueToken', () => ({ kind: 'too_many_tokens', limit: 2 }));
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Create a token for Entra ID' }));
  await waitFor(() => expect(page.toasts()).toEqual(['Entra ID has 2 tokens. Revoke the one that it no longer uses first.']));
});
