import type { StaffRole } from '@switchyard/db/client';
import type { StaffSession } from '../sessions/staff-session.ts';
import type { MerchantScope } from '../users/merchant-scope.ts';

/** All staff permissions, `object:verb`. Reading comes first of each object. */
export const PERMISSIONS = [
  'payment:read',
  'payment:verify',
  'payment:review',
  'payment:refund',
  'refund:configure',
  'routing:read',
  'routing:simulate',
  'routing:publish',
  'override:set',
  'health:read',
  'alert:read',
  'alert:acknowledge',
  'alert:configure',
  'gateway:read',
  'gateway:configure',
  'fee:configure',
  'merchant:read',
  'merchant:create',
  'merchant:update',
  'key:read',
  'key:issue',
  'key:rotate',
  'key:revoke',
  'webhook:read',
  'webhook:configure',
  'webhook:resend',
  'report:read',
  'report:export',
  'reconciliation:resolve',
  'accounting:configure',
  'month:close',
  'audit:read',
  'team:read',
  'team:manage',
  'system:read',
  'retention:read',
  'retention:change',
  'customer:export',
  'customer:erase',
] as const;

/** An action that a role may allow. */
export type Permission = (typeof PERMISSIONS)[number];

const looking: readonly Permission[] = [
  'payment:read',
  'routing:read',
  'routing:simulate',
  'health:read',
  'alert:read',
  'gateway:read',
  'merchant:read',
  'webhook:read',
  'report:read',
  'system:read',
];

/** All roles. */
export const STAFF_ROLES: readonly StaffRole[] = ['owner', 'operator', 'finance', 'viewer'];

/** Permissions by role: owners all; operators run the switch; finance refunds, reconciles, enters fee contracts and closes months; viewers read. */
const granted: Readonly<Record<StaffRole, ReadonlySet<Permission>>> = {
  owner: new Set(PERMISSIONS),
  operator: new Set<Permission>([
    ...looking,
    'payment:verify',
    'payment:review',
    'routing:publish',
    'override:set',
    'alert:acknowledge',
    'gateway:configure',
    'fee:configure',
    'merchant:update',
    'key:read',
    'key:revoke',
    'webhook:configure',
    'webhook:resend',
    'reconciliation:resolve',
    'audit:read',
    'team:read',
    'retention:read',
  ]),
  finance: new Set<Permission>([
    ...looking,
    'payment:verify',
    'payment:review',
    'payment:refund',
    'fee:configure',
    'report:export',
    'reconciliation:resolve',
    'accounting:configure',
    'month:close',
    'audit:read',
    'team:read',
    'retention:read',
  ]),
  viewer: new Set(looking),
};

/** True if a role includes a permission. */
export function may(role: StaffRole, permission: Permission): boolean {
  return granted[role].has(permission);
}

/** All permissions of a role. */
export function permissionsOf(role: StaffRole): Permission[] {
  return PERMISSIONS.filter((permission) => may(role, permission));
}

/** True if any of these roles includes a permission; false for none. */
export function anyRoleMay(roles: readonly StaffRole[], permission: Permission): boolean {
  return roles.some((role) => may(role, permission));
}

/** The roles of a staff user for one merchant: those granted for it and those granted for all. */
export function rolesFor(session: Pick<StaffSession, 'grants'>, merchantId: string): StaffRole[] {
  return session.grants.filter((grant) => grant.merchantId === null || grant.merchantId === merchantId).map(({ role }) => role);
}

/** Of these merchants, those for which the staff user has the permission. */
export function merchantsWhere(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
): string[] {
  return merchantIds.filter((merchantId) => anyRoleMay(rolesFor(session, merchantId), permission));
}

/** True if the staff user has the permission for any merchant. */
export function hasPermissionAnywhere(session: Pick<StaffSession, 'grants'>, permission: Permission): boolean {
  return anyRoleMay(
    session.grants.map(({ role }) => role),
    permission,
  );
}

/** The merchants that a session holds a permission for: all of them and the workspace itself, or these. */
export function merchantScopeOf(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
): MerchantScope {
  const everywhere = session.grants.some(({ merchantId, role }) => merchantId === null && may(role, permission));
  return { everywhere, merchantIds: merchantsWhere(session, permission, merchantIds) };
}

export type { StaffGrant, StaffSession } from '../sessions/staff-session.ts';
export { type MerchantScope, scopeCovers } from '../users/merchant-scope.ts';
