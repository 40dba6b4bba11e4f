import { NIL_ID } from '@switchyard/db';
import type { StaffContext } from '../context.ts';
import { changeGrants, grantAudit } from './change-grants.ts';
import { countStaffGrants, findStaffGrant, putStaffGrant, staffExists } from './queries.ts';

/** Result of making the first workspace owner, or the reason why it was refused. */
export type BootstrapOwnerOutcome =
  | { readonly kind: 'granted' }
  /** A workspace owner exists already and can invite others. */
  | { readonly kind: 'owner_exists' }
  | { readonly kind: 'unknown_staff' };

/** Makes a staff user the first workspace owner. Of concurrent calls one succeeds. */
export async function bootstrapOwner(
  context: StaffContext,
  command: { readonly staffId: string; readonly actor: string },
): Promise<BootstrapOwnerOutcome> {
  const { staffId, actor } = command;
  return changeGrants<BootstrapOwnerOutcome>(context, { merchantId: null, actor }, async (transaction, now) => {
    if (!(await staffExists(transaction, staffId))) return { outcome: { kind: 'unknown_staff' }, audit: null };
    if ((await countStaffGrants(transaction, NIL_ID, 'owner')) > 0) return { outcome: { kind: 'owner_exists' }, audit: null };
    const before = (await findStaffGrant(transaction, { staffId, merchantId: NIL_ID }))?.role ?? null;
    await putStaffGrant(transaction, { staffId, merchantId: NIL_ID, role: 'owner', grantedBy: actor }, now);
    const scope = { staffId, merchantId: null };
    return { outcome: { kind: 'granted' }, audit: grantAudit('staff.role_granted', scope, before, 'owner') };
  });
}
