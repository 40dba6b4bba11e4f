import type { StaffRole } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { changeGrants, type GrantScope, grantAudit, isLastOwner, tenantOf } from './change-grants.ts';
import { deleteStaffGrant, findStaffGrant } from './queries.ts';

/** Asks to take a staff user's role away. */
export interface RevokeRoleCommand extends GrantScope {
  readonly actor: string;
}

/** Result of taking a role away, or the reason why it was refused. */
export type RevokeRoleOutcome =
  | { readonly kind: 'revoked'; readonly before: StaffRole }
  | { readonly kind: 'not_found' }
  /** The staff user is the last workspace owner and must stay one. */
  | { readonly kind: 'last_owner' };

/** Revokes a staff user's role. Their other roles stay. */
export async function revokeRole(context: StaffContext, command: RevokeRoleCommand): Promise<RevokeRoleOutcome> {
  const { staffId, merchantId } = command;
  return changeGrants<RevokeRoleOutcome>(context, command, async (transaction) => {
    const key = { staffId, merchantId: tenantOf(merchantId) };
    const grant = await findStaffGrant(transaction, key);
    if (grant === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (await isLastOwner(transaction, command, grant.role)) return { outcome: { kind: 'last_owner' }, audit: null };
    await deleteStaffGrant(transaction, key);
    return {
      outcome: { kind: 'revoked', before: grant.role },
      audit: grantAudit('staff.role_revoked', command, grant.role, null),
    };
  });
}
