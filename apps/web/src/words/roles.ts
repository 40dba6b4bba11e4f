type Role = 'owner' | 'operator' | 'finance' | 'viewer';

const ROLES: Record<Role, string> = { owner: 'Owner', operator: 'Operator', finance: 'Finance', viewer: 'Viewer' };

/** A person's roles in a few words: `Owner, all merchants`. */
export function describeRoles(grants: readonly { readonly merchantId: string | null; readonly role: Role }[]): string {
  const everywhere = grants.filter(({ merchantId }) => merchantId === null).map(({ role }) => ROLES[role]);
  const somewhere = grants.length - everywhere.length;
  const merchants = somewhere === 1 ? '1 merchant' : `${somewhere} merchants`;
  if (everywhere.length > 0) return `${everywhere.join(', ')}, all merchants`;
  if (somewhere === 0) return 'No role yet';
  return `${[...new Set(grants.map(({ role }) => ROLES[role]))].join(', ')}, ${merchants}`;
}
