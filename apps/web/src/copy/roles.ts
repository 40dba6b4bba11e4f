/** The roles of staff users, in the order in which forms list them. */
export const ROLES = ['owner', 'operator', 'finance', 'viewer'] as const;

/** Role of a staff user. */
export type Role = (typeof ROLES)[number];

/** A role and its permissions, in words. */
export const ROLE_LABELS: Record<Role, { readonly name: string; readonly may: string }> = {
  owner: { name: 'Owner', may: 'everything, including keys, refunds and the team' },
  operator: { name: 'Operator', may: 'manages routing: rules, overrides, gateways, fee contracts, webhooks; moves no money' },
  finance: {
    name: 'Finance',
    may: 'verifies and refunds payments, decides reviews, exports reports, enters fee contracts, closes months',
  },
  viewer: { name: 'Viewer', may: 'reads payments, routing and health; changes nothing' },
};

/** A person's roles as a short text: `Owner, all merchants`. */
export function describeRoles(grants: readonly { readonly merchantId: string | null; readonly role: Role }[]): string {
  const everywhere = grants.filter(({ merchantId }) => merchantId === null).map(({ role }) => ROLE_LABELS[role].name);
  const somewhere = grants.length - everywhere.length;
  const merchants = somewhere === 1 ? '1 merchant' : `${somewhere} merchants`;
  if (everywhere.length > 0) return `${everywhere.join(', ')}, all merchants`;
  if (somewhere === 0) return 'No role yet';
  return `${[...new Set(grants.map(({ role }) => ROLE_LABELS[role].name))].join(', ')}, ${merchants}`;
}
