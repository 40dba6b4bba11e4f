import type { StaffRole } from '@switchyard/db';
import { rolesFor, type StaffSession } from './session.ts';

/** What each role may do. A permission that is not written here does not exist. */
const ROLES_BY_PERMISSION = {
  'merchants.read': ['owner', 'operator', 'finance', 'viewer'],
  'payments.read': ['owner', 'operator', 'finance', 'viewer'],
  'system.read': ['owner', 'operator', 'finance', 'viewer'],
} as const satisfies Record<string, readonly StaffRole[]>;

export type Permission = keyof typeof ROLES_BY_PERMISSION;

export const PERMISSIONS: readonly Permission[] = ['merchants.read', 'payments.read', 'system.read'];

/** Whether a role carries a permission. */
export function may(role: StaffRole, permission: Permission): boolean {
  const roles: readonly StaffRole[] = ROLES_BY_PERMISSION[permission];
  return roles.includes(role);
}

/** Of these merchants, the ones for which the person may do this. */
export function merchantsWhere(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
): string[] {
  return merchantIds.filter((merchantId) => rolesFor(session, merchantId).some((role) => may(role, permission)));
}
