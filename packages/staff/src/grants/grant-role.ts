import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';
import { findMerchantRow } from '@switchyard/merchants';
import { changeGrants, type GrantScope, grantAudit, isLastOwner, tenantOf } from './change-grants.ts';
import { findStaffGrant, putStaffGrant, staffExists } from './queries.ts';

export interface GrantRoleCommand extends GrantScope {
  readonly role: StaffRole;
  readonly actor: string;
}

export type GrantRoleOutcome =
  /** `before` is the role the person had there until now. */
  | { readonly kind: 'granted'; readonly before: StaffRole | null }
  | { readonly kind: 'unknown_staff' }
  | { readonly kind: 'unknown_merchant' }
  /** The person is the last owner of everything and must stay one. */
  | { readonly kind: 'last_owner' };

/** Gives a person a role, in place of the one they have there. Whether the actor may is for the caller to ask. */
export async function grantRole(context: MerchantsContext, command: GrantRoleCommand): Promise<GrantRoleOutcome> {
  const { staffId, merchantId, role, actor } = command;
  return changeGrants<GrantRoleOutcome>(context, command, async (transaction, now) => {
    if (!(await staffExists(transaction, staffId))) return { outcome: { kind: 'unknown_staff' }, audit: null };
    const tenant = tenantOf(merchantId);
    if (merchantId !== null && (merchantId === NIL_ID || (await findMerchantRow(transaction, merchantId)) === null)) {
      return { outcome: { kind: 'unknown_merchant' }, audit: null };
    }
    const before = (await findStaffGrant(transaction, { staffId, merchantId: tenant }))?.role ?? null;
    if (before === role) return { outcome: { kind: 'granted', before }, audit: null };
    if (await isLastOwner(transaction, command, before ?? undefined)) return { outcome: { kind: 'last_owner' }, audit: null };
    await putStaffGrant(transaction, { staffId, merchantId: tenant, role, grantedBy: actor }, now);
    return { outcome: { kind: 'granted', before }, audit: grantAudit('staff.role_granted', command, before, role) };
  });
}
