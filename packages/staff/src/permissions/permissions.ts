import type { Mode, StaffRole } from '@switchyard/db/client';
import type { MerchantScope } from './merchant-scope.ts';
import type { CustomRole, Role, RoleKey, StaffSession } from './staff-session.ts';

/** The meaning of each permission, `object:verb`, as a sentence without its subject. Reading comes first of each object. */
export const PERMISSION_TEXTS = {
  'payment:read': 'find payments, refunds, disputes and customers, and read everything about them',
  'payment:verify': 'verify payments at the gateway, and write notes on them',
  'payment:review': 'decide payments under review, dismiss duplicate payments and failed refunds',
  'payment:refund': 'refund payments, within the limits of the merchant',
  'refund:approve': 'approve refunds of others as the second person',
  'refund:configure': 'change limits, second person and reason codes of refunds',
  'routing:read': 'read rules and why a payment was routed as it was',
  'routing:simulate': 'try rules and drafts on sample and past payments',
  'routing:publish': 'change, approve and publish rules and thresholds of health',
  'override:set': 'drain, disable and force gateway accounts',
  'health:read': 'read the health of gateways',
  'alert:read': 'read alerts, incidents and channels',
  'alert:acknowledge': 'acknowledge and mute alerts, and write about incidents',
  'alert:configure': 'change alert channels',
  'gateway:read': 'read gateway accounts, their use and fees',
  'gateway:configure': 'connect and change gateway accounts and their credentials',
  'fee:configure': 'enter fee contracts',
  'merchant:read': 'read merchants and their settings',
  'merchant:create': 'create merchants',
  'merchant:update': 'change settings of merchants',
  'key:read': 'read the list of API keys and the request log',
  'key:issue': 'create API keys, for what the person may do themselves',
  'key:rotate': 'replace API keys, those that do no more than the person may',
  'key:revoke': 'revoke API keys',
  'webhook:read': 'read webhook endpoints and deliveries',
  'webhook:configure': 'change webhook endpoints and their secrets',
  'webhook:resend': 'resend deliveries, and send test events',
  'report:read': 'read reports, settlements, fees, reconciliation, months and journals',
  'report:export': 'export lists as files, and schedule reports',
  'reconciliation:resolve': 'resolve discrepancies, take in settlement files and bank statements, answer disputes',
  'accounting:configure': 'change the accounts of the journal',
  'month:close': 'close, review and sign off months',
  'audit:read': 'read the audit log',
  'team:read': 'read the team and its roles',
  'team:manage': 'invite people, give roles, and end their sessions and access',
  'system:read': 'read the health of Switchyard itself',
  'retention:read': 'read how long data is kept',
  'retention:change': 'change how long data is kept',
  'customer:export': 'export everything about a customer',
  'customer:erase': 'erase customers',
} as const;

/** An action that a role may allow. */
export type Permission = keyof typeof PERMISSION_TEXTS;

const isPermission = (key: string): key is Permission => Object.hasOwn(PERMISSION_TEXTS, key);

/** All staff permissions. */
export const PERMISSIONS: readonly Permission[] = Object.keys(PERMISSION_TEXTS).filter(isPermission);

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

export const STAFF_ROLES = [
  'owner',
  'operator',
  'finance',
  'support',
  'developer',
  'viewer',
] as const satisfies readonly StaffRole[];

export function roleKeyOf(role: Role): RoleKey {
  return typeof role === 'string' ? role : role.roleId;
}

/**
 * Permissions that a role of the workspace's own may have: all but the right to give roles away, so that no such role gives itself or
 * another one more.
 */
export const CUSTOM_PERMISSIONS = PERMISSIONS.filter(
  (permission): permission is Exclude<Permission, 'team:manage'> => permission !== 'team:manage',
);

/** Those of them that a role may have in test mode alone: the others are about both modes at once. */
export const MODE_PERMISSIONS = [
  'payment:verify',
  'payment:review',
  'payment:refund',
  'routing:publish',
  'override:set',
  'gateway:configure',
] as const satisfies readonly Permission[];

/** Permissions of a role: in both modes, and more in test mode alone. */
interface RolePermissions {
  readonly always: ReadonlySet<Permission>;
  readonly inTestMode: ReadonlySet<Permission>;
}

function granting(always: readonly Permission[], inTestMode: readonly Permission[] = []): RolePermissions {
  return { always: new Set(always), inTestMode: new Set(inTestMode) };
}

/**
 * Permissions by role: owners all; operators run the switch; finance refunds, reconciles, enters fee contracts and closes months; support
 * answers customers; developers integrate, and work without limits in test mode; viewers read.
 */
const granted: Readonly<Record<StaffRole, RolePermissions>> = {
  owner: granting(PERMISSIONS),
  operator: granting([
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
  finance: granting([
    ...looking,
    'payment:verify',
    'payment:review',
    'payment:refund',
    'refund:approve',
    'fee:configure',
    'report:export',
    'reconciliation:resolve',
    'accounting:configure',
    'month:close',
    'audit:read',
    'team:read',
    'retention:read',
  ]),
  support: granting([
    'payment:read',
    'payment:verify',
    'payment:refund',
    'health:read',
    'alert:read',
    'gateway:read',
    'merchant:read',
    'webhook:read',
    'system:read',
  ]),
  developer: granting(
    [...looking, 'key:read', 'key:issue', 'key:rotate', 'key:revoke', 'webhook:configure', 'webhook:resend'],
    ['payment:verify', 'payment:review', 'payment:refund', 'routing:publish', 'override:set', 'gateway:configure'],
  ),
  viewer: granting(looking),
};

/** True if a role includes a permission in a mode; without one, in both. */
export function may(role: Role, permission: Permission, mode: Mode = 'live'): boolean {
  if (typeof role !== 'string') return customRoleMay(role, permission, mode);
  const { always, inTestMode } = granted[role];
  return always.has(permission) || (mode === 'test' && inTestMode.has(permission));
}

function customRoleMay({ permissions, testPermissions }: CustomRole, permission: Permission, mode: Mode): boolean {
  if (!CUSTOM_PERMISSIONS.some((each) => each === permission)) return false;
  return (
    permissions.includes(permission) ||
    (mode === 'test' && MODE_PERMISSIONS.some((each) => each === permission) && testPermissions.includes(permission))
  );
}

/** True if a person of one role may give the other: they manage the team, and have all that the other allows in each mode. */
export function mayGive(giver: Role, given: Role): boolean {
  const covers = (mode: Mode) => PERMISSIONS.every((permission) => !may(given, permission, mode) || may(giver, permission, mode));
  return may(giver, 'team:manage') && covers('live') && covers('test');
}

/** All permissions of a role in both modes. */
export function permissionsOf(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => may(role, permission));
}

/** The permissions that a role has in test mode alone. */
export function testPermissionsOf(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => may(role, permission, 'test') && !may(role, permission));
}

/** True if any of these roles includes a permission in a mode; without one, in both. False for no role. */
export function anyRoleMay(roles: readonly Role[], permission: Permission, mode?: Mode): boolean {
  return roles.some((role) => may(role, permission, mode));
}

/** The roles of a staff user for one merchant: those granted for it and those granted for all. */
export function rolesFor(session: Pick<StaffSession, 'grants'>, merchantId: string): Role[] {
  return session.grants.filter((grant) => grant.merchantId === null || grant.merchantId === merchantId).map(({ role }) => role);
}

/** Those of these merchants for which the staff user has the permission in a mode; without one, in both. */
export function merchantsWhere(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
  mode?: Mode,
): string[] {
  return merchantIds.filter((merchantId) => anyRoleMay(rolesFor(session, merchantId), permission, mode));
}

/** True if the staff user has the permission for any merchant in a mode; without one, in both. */
export function hasPermissionAnywhere(session: Pick<StaffSession, 'grants'>, permission: Permission, mode?: Mode): boolean {
  return session.grants.some(({ role }) => may(role, permission, mode));
}

/** The merchants that a session holds a permission for, in a mode or in both: all of them and the workspace itself, or these. */
export function merchantScopeOf(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
  mode?: Mode,
): MerchantScope {
  const everywhere = session.grants.some(({ merchantId, role }) => merchantId === null && may(role, permission, mode));
  return { everywhere, merchantIds: merchantsWhere(session, permission, merchantIds, mode) };
}

export { type MerchantScope, scopeCovers } from './merchant-scope.ts';
export type { CustomRole, Role, RoleKey, StaffGrant, StaffSession } from './staff-session.ts';
