import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { may, type Permission } from '../permissions/permissions.ts';
import { changeGrants, type GrantScope, grantAudit, isLastOwner, tenantOf } from './change-grants.ts';
import { deleteStaffGrant, findStaffGrant, listStaffGrants, putStaffGrant, staffExists } from './queries.ts';

export type { RuleApprover } from './rule-approver-queries.ts';
export { listActiveStaffWhoMay, listApprovers, listMerchantsWithoutSecondApprover } from './rule-approvers.ts';

const GRANTS_MAX = 1_000;

/** A grant with the staff user's name. */
interface GrantInList {
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  /** Null for all merchants. */
  readonly merchantId: string | null;
  readonly role: StaffRole;
  readonly grantedBy: string;
  readonly grantedAt: Date;
}

/** Grants for a merchant, those for all merchants included; with null, only those for all. At most 1000. */
export async function listGrants(context: StaffContext, query: { readonly merchantId: string | null }): Promise<GrantInList[]> {
  const merchantIds = query.merchantId === null ? [NIL_ID] : [NIL_ID, query.merchantId];
  const rows = await listStaffGrants(context.resources.database, { merchantIds, limit: GRANTS_MAX });
  return rows.map(({ staffId, name, email, merchantId, role, grantedBy, createdAt }) => ({
    staffId,
    name,
    email,
    merchantId: merchantId === NIL_ID ? null : merchantId,
    role,
    grantedBy,
    grantedAt: createdAt,
  }));
}

/** The staff users who have a permission for a merchant, each once. */
export async function listStaffWhoMay(
  context: StaffContext,
  { merchantId, permission }: { readonly merchantId: string; readonly permission: Permission },
): Promise<{ readonly staffId: string; readonly name: string }[]> {
  const grants = await listGrants(context, { merchantId });
  const able = grants.filter(({ role }) => may(role, permission));
  return [...new Map(able.map(({ staffId, name }) => [staffId, { staffId, name }])).values()];
}

/** Asks to take a staff user's role away. */
interface RevokeRoleCommand extends GrantScope {
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

/** Asks to give a staff user a role for a merchant or for all, replacing an earlier one there. */
interface GrantRoleCommand extends GrantScope {
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
