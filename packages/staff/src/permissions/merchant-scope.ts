import { NIL_ID } from '@switchyard/db';
import type { RoleKey } from './staff-session.ts';

/** The merchants that a permission is held for: all of them with all staff users, or some merchants only. */
export interface MerchantScope {
  readonly everywhere: boolean;
  /** Ignored when `everywhere` is set. */
  readonly merchantIds: readonly string[];
}

/** A role for one merchant, or for all of them where `merchantId` is null. */
export interface RoleFor {
  readonly merchantId: string | null;
  readonly role: RoleKey;
}

/** The merchant of a stored role; null for all of them. */
export function merchantOfGrant(merchantId: string): string | null {
  return merchantId === NIL_ID ? null : merchantId;
}

/** True if a merchant scope covers a merchant; null is all merchants. */
export function scopeCovers(merchantScope: MerchantScope, merchantId: string | null): boolean {
  return merchantScope.everywhere || (merchantId !== null && merchantScope.merchantIds.includes(merchantId));
}

/**
 * True if a merchant scope covers a whole staff user, with password, second step and sessions: an owner of one merchant must not
 * take over the account of a staff user with roles elsewhere.
 */
export function coversStaffUser(
  merchantScope: MerchantScope,
  person: { readonly grants: readonly { readonly merchantId: string }[] },
): boolean {
  if (merchantScope.everywhere) return true;
  return (
    person.grants.length > 0 &&
    person.grants.every(({ merchantId }) => merchantId !== NIL_ID && merchantScope.merchantIds.includes(merchantId))
  );
}
