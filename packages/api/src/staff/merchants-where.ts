import { mayAny, type Permission } from '@switchyard/merchants';
import { rolesFor, type StaffSession } from './session.ts';

/** Of these merchants, the ones for which the person may do this. */
export function merchantsWhere(
  session: Pick<StaffSession, 'grants'>,
  permission: Permission,
  merchantIds: readonly string[],
): string[] {
  return merchantIds.filter((merchantId) => mayAny(rolesFor(session, merchantId), permission));
}

/** Whether the person may do this anywhere at all. */
export function mayAnywhere(session: Pick<StaffSession, 'grants'>, permission: Permission): boolean {
  return mayAny(
    session.grants.map(({ role }) => role),
    permission,
  );
}
