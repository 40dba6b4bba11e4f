/** The roles of staff users, in the order in which forms list them. */
export const ROLES = ['owner', 'operator', 'finance', 'support', 'developer', 'viewer'] as const;

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
  support: {
    name: 'Support',
    may: 'finds payments and customers, checks their state, and refunds up to the daily limit that the merchant sets for Support; sees no keys, rules or exports',
  },
  developer: {
    name: 'Developer',
    may: 'manages keys, webhook endpoints and deliveries, and reads the request log; in test mode also refunds, gateways and rules, in live mode none of these',
  },
  viewer: { name: 'Viewer', may: 'reads payments, routing and health; changes nothing' },
};

/** A role of the workspace's own. */
export interface OwnRole {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly testPermissions: readonly string[];
}

/** A permission as a sentence without its subject. */
interface PermissionText {
  readonly permission: string;
  readonly text: string;
}

/** A role and its permissions in words. A key that names no role is one that was removed, or is not loaded yet. */
export function describeRole(
  role: string | OwnRole,
  texts: readonly PermissionText[],
): { readonly name: string; readonly may: string } {
  if (typeof role === 'string') {
    const known = ROLES.find((each) => each === role);
    return known === undefined ? { name: 'Own role', may: '' } : ROLE_LABELS[known];
  }
  const said = (permissions: readonly string[]) =>
    texts.filter(({ permission }) => permissions.includes(permission)).map(({ text }) => text);
  const inTestMode = said(role.testPermissions);
  const always = said(role.permissions).join('; ');
  return {
    name: role.name,
    may: [always, ...(inTestMode.length > 0 ? [`in test mode also ${inTestMode.join('; ')}`] : [])].filter(Boolean).join('; '),
  };
}

export function nameOfRole(role: Role | { readonly name: string }): string {
  return typeof role === 'string' ? ROLE_LABELS[role].name : role.name;
}

/** A person's roles as a short text: `Owner, all merchants`. */
export function describeRoles(
  grants: readonly { readonly merchantId: string | null; readonly role: Role | { readonly name: string } }[],
): string {
  const everywhere = grants.filter(({ merchantId }) => merchantId === null).map(({ role }) => nameOfRole(role));
  const somewhere = grants.length - everywhere.length;
  const merchants = somewhere === 1 ? '1 merchant' : `${somewhere} merchants`;
  if (everywhere.length > 0) return `${everywhere.join(', ')}, all merchants`;
  if (somewhere === 0) return 'No role yet';
  return `${[...new Set(grants.map(({ role }) => nameOfRole(role)))].join(', ')}, ${merchants}`;
}
