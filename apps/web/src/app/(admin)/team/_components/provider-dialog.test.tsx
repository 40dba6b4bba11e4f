// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, checkbox, expectCalls, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { type Provider, ProviderDialog } from './provider-dialog.tsx';

const page = openDashboard('?mode=test');
const OURS = {
  redirectUri: 'https://pay.example/api/auth/sso/callback',
  entityId: 'https://pay.example/api/auth/sso/saml2/sp/metadata',
  answerUrl: 'https://pay.example/api/auth/sso/saml2/sp/acs',
};
const COMMON = {
  name: 'Okta',
  domains: ['example.com'],
  groupClaim: 'groups',
  required: false,
  secondFactorRequired: false,
  groupRoles: [{ group: 'Finance', merchantId: null, role: 'finance' }],
};
const OKTA: Provider = { ...COMMON, type: 'oidc', providerId: 'p-1', issuer: 'https://id.example', clientId: 'c-1' };

let closed = 0;
beforeEach(() => {
  closed = 0;
  page.allow('team:read', 'team:manage');
  page.on('singleSignOn.save', () => ({ kind: 'saved', providerId: 'p-1' }));
});

function show(provider: Provider | null) {
  return page.show(
    <ProviderDialog
      provider={provider}
      ours={OURS}
      onClose={() => {
        closed += 1;
      }}
    />,
  );
}

test('a provider of OpenID Connect is added with its domains and the roles of its groups', async () => {
  const user = show(null);
  await screen.findByRole('dialog', { name: 'Add a sign-in provider' });
  button(`Copy redirect URI ${OURS.redirectUri}`);
  await user.type(field('Name'), 'Okta');
  await user.type(field('Issuer'), 'https://id.example');
  await user.type(field('Client ID'), 'c-1');
  await user.type(screen.getByLabelText('Client secret'), 'secret');
  await user.type(field('E-mail domains'), 'example.com, example.ng');
  await user.click(button('Add a group'));
  await user.type(field('Group 1'), 'Finance');
  await user.click(button('Add a group'));
  await user.click(checkbox(/^Require our second factor/));
  await user.click(button('Add provider'));
  const groupRoles = [{ group: 'Finance', merchantId: null, role: 'viewer' }];
  const domains = ['example.com', 'example.ng'];
  const oidc = { type: 'oidc', issuer: 'https://id.example', clientId: 'c-1', clientSecret: 'secret' };
  await expectCalls(page, 'singleSignOn.save', [
    { ...COMMON, ...oidc, providerId: null, domains, groupRoles, secondFactorRequired: true },
  ]);
  await waitFor(() => expect(page.toasts()).toEqual(['“Okta” was added.']));
  expect(closed).toBe(1);
});

test('a provider of SAML is added by its metadata, with our addresses to enter there', async () => {
  const user = show(null);
  await screen.findByRole('dialog', { name: 'Add a sign-in provider' });
  await user.click(radio('SAML'));
  button(`Copy ACS URL ${OURS.answerUrl}`);
  button(`Copy entity ID ${OURS.entityId}`);
  expect(screen.getByRole('link', { name: 'our metadata' }).getAttribute('href')).toBe(OURS.entityId);
  expect(screen.queryByRole('textbox', { name: 'Issuer' })).toBeNull();
  await user.type(field('Name'), 'Entra ID');
  await user.type(field('Metadata XML'), '<EntityDescriptor/>');
  await user.type(field('E-mail domains'), 'example.com');
  await user.clear(field('Group attribute'));
  await user.type(field('Group attribute'), 'Roles');
  await user.click(button('Add provider'));
  const saml = { type: 'saml', metadata: '<EntityDescriptor/>', entityId: '', entryPoint: '', certificates: '' };
  await expectCalls(page, 'singleSignOn.save', [
    { ...COMMON, ...saml, providerId: null, name: 'Entra ID', groupClaim: 'Roles', groupRoles: [] },
  ]);
});

test('a change keeps the secret, which is shown nowhere, and the protocol', async () => {
  const user = show(OKTA);
  await screen.findByRole('dialog', { name: 'Change “Okta”' });
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Client secret').value).toBe('');
  await user.click(button('Remove group 1'));
  await user.click(button('Save changes'));
  await waitFor(() =>
    expect(page.calls('singleSignOn.save')).toMatchObject([{ providerId: 'p-1', clientSecret: null, groupRoles: [] }]),
  );
});

test.each([
  [{ kind: 'invalid', problems: [{ field: 'issuer', message: 'names another issuer' }] }, 'Names another issuer.'],
  [{ kind: 'invalid', problems: [{ field: 'domains.0', message: 'must be domains' }] }, 'Must be domains.'],
  [{ kind: 'name_taken' }, 'Must not be the name of another provider.'],
  [{ kind: 'no_break_glass' }, /once a break-glass owner is named/],
  [{ kind: 'not_allowed', groupRole: COMMON.groupRoles[0] }, /the role of the group “Finance”/],
  [{ kind: 'unknown_merchant' }, /was removed meanwhile/],
])('a refusal is said in the dialog, which stays open: %o', async (outcome, text) => {
  page.on('singleSignOn.save', () => outcome);
  const user = show(OKTA);
  const dialog = await screen.findByRole('dialog');
  await user.click(button('Save changes'));
  await within(dialog).findByText(text);
  expect(closed).toBe(0);
});
