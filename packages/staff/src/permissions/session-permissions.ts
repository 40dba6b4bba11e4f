import type { StaffRole } from '@switchyard/db/client';
import type { StaffSession } from '../sessions/staff-session.ts';
import type { MerchantScope } from '../users/merchant-scope.ts';
import { anyRoleMay, may, type Permission } from './permissions.ts';

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
