import { may, mayAny, type Permission, type Reach } from '@switchyard/staff';
import { rolesFor } from './session.ts';
import type { StaffSession } from './staff-session.ts';

/** Of these merchants, those for which the staff user has the permission. */
export function merchantsWhere(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
): string[] {
  return merchantIds.filter((merchantId) => mayAny(rolesFor(session, merchantId), permission));
}

/** Whether the staff user has the permission for any merchant. */
export function hasPermissionAnywhere(session: Pick<StaffSession, 'grants'>, permission: Permission): boolean {
  return mayAny(
    session.grants.map(({ role }) => role),
    permission,
  );
}

/** The reach of a permission: all merchants and the workspace itself, or these merchants. */
export function reachOf(session: Pick<StaffSession, 'grants'>, permission: Permission, merchantIds: readonly string[]): Reach {
  const everywhere = session.grants.some(({ merchantId, role }) => merchantId === null && may(role, permission));
  return { everywhere, merchantIds: merchantsWhere(session, permission, merchantIds) };
}
