import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { changeGrants, type GrantScope, grantAudit, isLastOwner, tenantOf } from './change-grants.ts';
import { findStaffGrant, putStaffGrant, staffExists } from './queries.ts';

/** Asks to give a staff user a role for a merchant or for all, replacing an earlier one there. */
export interface GrantRoleCommand extends GrantScope {
  readonly role: StaffRole;
  readonly actor: string;
}

/** Result of giving a role, or the reason why it was refused. */
export type GrantRoleOutcome =
  /** `before` is the previous role of the staff user there. */
  | { readonly kind: 'granted'; readonly before: StaffRole | null }
  | { readonly kind: 'unknown_staff' }
  | { readonly kind: 'unknown_merchant' }
  /** The staff user is the last workspace owner and must stay one. */
  | { readonly kind: 'last_owner' };

/** Grants a staff user a role, replacing their role for the same merchant. The caller checks the actor's permission. */
export async function grantRole(context: StaffContext, command: GrantRoleCommand): Promise<GrantRoleOutcome> {
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
