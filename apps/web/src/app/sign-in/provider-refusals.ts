const REFUSALS: Readonly<Record<string, string>> = {
  wrong_token: 'The provider answered another sign-in than this one. Try again.',
  wrong_time: 'The clocks of the provider and of this service differ too much. Ask who runs them.',
  saml_unreadable: 'The provider’s answer cannot be read safely. Ask who runs it to send one plain assertion, not encrypted.',
  saml_unsigned: 'The provider does not sign its assertions. Ask who runs it to sign them.',
  saml_algorithm: 'The provider signs with an outdated algorithm. Ask who runs it to sign with SHA-256.',
  saml_not_for_us: 'The provider answered for another service. Ask who runs it to compare the ACS URL and the audience.',
  saml_name_id: 'The provider sends no name that stays the same at each sign-in. Ask who runs it to send a persistent name ID.',
  email_missing: 'The provider does not send your e-mail address. Ask who runs it to send the attribute “email”.',
  email_unverified: 'The provider does not say that your e-mail address is verified. Ask who runs it to send that claim.',
  foreign_domain: 'This provider may not sign in people of the domain of your e-mail address. Ask an owner of the workspace.',
  linked_elsewhere: 'Your e-mail address belongs to another account of this provider. Ask an owner of the workspace.',
  groups_missing:
    'The provider does not say which groups you are in: the claim of groups is missing. Ask who runs it to send that claim.',
  no_group: 'None of your groups at the provider has a role here. Ask an owner of the workspace to give one of them a role.',
  account_disabled: 'This account is disabled. Ask an owner of the workspace.',
  access_denied: 'The provider did not let you in.',
  state_mismatch: 'This sign-in was begun in another browser, has ended, or was used already. Try again.',
};

/** Why a sign-in by a provider was refused, by the code in the address. */
export function describeProviderRefusal(code: string): string {
  return Object.hasOwn(REFUSALS, code)
    ? (REFUSALS[code] ?? '')
    : 'The provider could not sign you in. Try again, or ask an owner of the workspace.';
}
