import { may, mayAny, type Permission, type Reach } from '@switchyard/staff';
import { rolesFor } from './session.ts';
import type { StaffSession } from './staff-session.ts';

/** Of these merchants, the ones for which the person may do this. */
export function merchantsWhere(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
): string[] {
  return merchantIds.filter((merchantId) => mayAny(rolesFor(session, merchantId), permission));
}

/** Whether the person may do this anywhere at all. */
export function hasPermissionAnywhere(session: Pick<StaffSession, 'grants'>, permission: Permission): boolean {
  return mayAny(
    session.grants.map(({ role }) => role),
    permission,
  );
}

/** For whom the person may do this: for all merchants and the workspace itself, or for these merchants. */
export function reachOf(session: Pick<StaffSession, 'grants'>, permission: Permission, merchantIds: readonly string[]): Reach {
  const everywhere = session.grants.some(({ merchantId, role }) => merchantId === null && may(role, permission));
  return { everywhere, merchantIds: merchantsWhere(session, permission, merchantIds) };
}
