import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import type { StaffUserRow } from './queries.ts';

/** The reach of a permission: all staff users and merchants, or some merchants only. */
export interface Reach {
  readonly everywhere: boolean;
  /** Ignored when `everywhere` is set. */
  readonly merchantIds: readonly string[];
}

/** A role for one merchant, or for all of them where `merchantId` is null. */
export interface RoleFor {
  readonly merchantId: string | null;
  readonly role: StaffRole;
}

/** Whether a reach covers a merchant; null is all merchants. */
export function reaches(reach: Reach, merchantId: string | null): boolean {
  return reach.everywhere || (merchantId !== null && reach.merchantIds.includes(merchantId));
}

/**
 * Whether a reach covers a whole staff user, with password, second step and sessions: an owner of one merchant must not take over
 * the account of a staff user with roles elsewhere.
 */
export function coversStaffUser(reach: Reach, person: Pick<StaffUserRow, 'grants'>): boolean {
  if (reach.everywhere) return true;
  return (
    person.grants.length > 0 &&
    person.grants.every(({ merchantId }) => merchantId !== NIL_ID && reach.merchantIds.includes(merchantId))
  );
}
