import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import type { StaffUserRow } from './queries.ts';

/** For whom somebody may do something: for everybody and every merchant, or for some merchants only. */
export interface Reach {
  readonly everywhere: boolean;
  /** Beside `everywhere` without meaning. */
  readonly merchantIds: readonly string[];
}

/** A role for one merchant, or for all of them where `merchantId` is null. */
export interface RoleFor {
  readonly merchantId: string | null;
  readonly role: StaffRole;
}

/** Whether a reach covers a merchant; null is all of them at once. */
export function reaches(reach: Reach, merchantId: string | null): boolean {
  return reach.everywhere || (merchantId !== null && reach.merchantIds.includes(merchantId));
}

/**
 * Whether a reach covers a person as a whole, which is what their password, second step and sessions are: somebody who owns one
 * merchant must not get at the account of somebody who may do things elsewhere.
 */
export function coversStaffUser(reach: Reach, person: Pick<StaffUserRow, 'grants'>): boolean {
  if (reach.everywhere) return true;
  return (
    person.grants.length > 0 &&
    person.grants.every(({ merchantId }) => merchantId !== NIL_ID && reach.merchantIds.includes(merchantId))
  );
}
