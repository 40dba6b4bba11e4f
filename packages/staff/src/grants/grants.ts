import { NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { may, type Permission, type Role, type RoleKey } from '../permissions/permissions.ts';
import { roleExists } from '../permissions/stored-role.ts';
import { changeTeam, type TeamChange } from './change-team.ts';
import { countStaffGrants, deleteStaffGrant, findStaffGrant, listStaffGrants, putStaffGrant, staffExists } from './queries.ts';

export { type ApproverWhoLeft, listApproversWhoLeft, listNeededDecisions, type NeededDecision } from './needed-decisions.ts';
export { listActiveStaffWhoMay, listApprovers, listMerchantsWithoutSecondApprover, type RuleApprover } from './rule-approvers.ts';

const GRANTS_MAX = 1_000;

/** A grant with the staff user's name. */
interface GrantInList {
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  /** Null for all merchants. */
  readonly merchantId: string | null;
  readonly role: Role;
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
  | { readonly kind: 'revoked'; readonly before: RoleKey }
  | { readonly kind: 'not_found' }
  /** The staff user is the last workspace owner and must stay one. */
  | { readonly kind: 'last_owner' };

/** Revokes a staff user's role. Their other roles stay. */
export async function revokeRole(context: StaffContext, command: RevokeRoleCommand): Promise<RevokeRoleOutcome> {
  const { staffId, merchantId } = command;
  return changeTeam<RevokeRoleOutcome>(context, command.actor, async (transaction) => {
    const tenantId = tenantOf(merchantId);
    const key = { staffId, merchantId: tenantId };
    const grant = await findStaffGrant(transaction, key);
    if (grant === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (await isLastOwner(transaction, command, grant)) return { outcome: { kind: 'last_owner' }, audit: null };
    await deleteStaffGrant(transaction, key);
    return {
      outcome: { kind: 'revoked', before: grant },
      audit: grantAudit('staff.role_revoked', command, grant, null),
      tenantId,
    };
  });
}

/** Asks to give a staff user a role for a merchant or for all, replacing an earlier one there. */
interface GrantRoleCommand extends GrantScope {
  readonly role: RoleKey;
  readonly actor: string;
}

/** Result of giving a role, or the reason why it was refused. */
export type GrantRoleOutcome =
  /** `before` is the previous role of the staff user there. */
  | { readonly kind: 'granted'; readonly before: RoleKey | null }
  | { readonly kind: 'unknown_staff' }
  | { readonly kind: 'unknown_merchant' }
  | { readonly kind: 'unknown_role' }
  /** The staff user is the last workspace owner and must stay one. */
  | { readonly kind: 'last_owner' };

/** Grants a staff user a role, replacing their role for the same merchant. The caller checks the actor's permission. */
export async function grantRole(context: StaffContext, command: GrantRoleCommand): Promise<GrantRoleOutcome> {
  const { staffId, merchantId, role, actor } = command;
  return changeTeam<GrantRoleOutcome>(context, actor, async (transaction, now) => {
    if (!(await staffExists(transaction, staffId))) return { outcome: { kind: 'unknown_staff' }, audit: null };
    const tenantId = tenantOf(merchantId);
    if (merchantId !== null && (merchantId === NIL_ID || (await findMerchantRow(transaction, merchantId)) === null)) {
      return { outcome: { kind: 'unknown_merchant' }, audit: null };
    }
    if (!(await roleExists(transaction, role))) return { outcome: { kind: 'unknown_role' }, audit: null };
    const before = await findStaffGrant(transaction, { staffId, merchantId: tenantId });
    if (before === role) return { outcome: { kind: 'granted', before }, audit: null };
    if (await isLastOwner(transaction, command, before ?? undefined)) return { outcome: { kind: 'last_owner' }, audit: null };
    await putStaffGrant(transaction, { staffId, merchantId: tenantId, role, grantedBy: actor }, now);
    return { outcome: { kind: 'granted', before }, audit: grantAudit('staff.role_granted', command, before, role), tenantId };
  });
}

/** A staff user's role for one merchant, or for all of them where `merchantId` is null. */
interface GrantScope {
  readonly staffId: string;
  readonly merchantId: string | null;
}

/** A grant's merchant as its row stores it. */
function tenantOf(merchantId: string | null): string {
  return merchantId ?? NIL_ID;
}

/**
 * True if this workspace owner must stay one: no other enabled staff user is, and no one could grant access any more, or they are the
 * break-glass owner.
 */
export async function isLastOwner(
  transaction: Prisma.TransactionClient,
  { staffId, merchantId }: GrantScope,
  role: RoleKey | undefined,
): Promise<boolean> {
  if (merchantId !== null || role !== 'owner') return false;
  if ((await countStaffGrants(transaction, NIL_ID, 'owner', staffId)) === 0) return true;
  return (await transaction.staffUser.count({ where: { id: staffId, breakGlass: true } })) === 1;
}

/** The audit row of a change from one role to another; null is none. */
function grantAudit(
  action: string,
  scope: GrantScope,
  from: RoleKey | null,
  to: RoleKey | null,
): NonNullable<TeamChange<unknown>['audit']> {
  const shown = (role: RoleKey | null) => (role === null ? null : { role, merchantId: scope.merchantId });
  return { action, objectType: 'staff', objectId: scope.staffId, before: shown(from), after: shown(to) };
}

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
  return changeTeam<BootstrapOwnerOutcome>(context, actor, async (transaction, now) => {
    if (!(await staffExists(transaction, staffId))) return { outcome: { kind: 'unknown_staff' }, audit: null };
    if ((await countStaffGrants(transaction, NIL_ID, 'owner')) > 0) return { outcome: { kind: 'owner_exists' }, audit: null };
    const before = await findStaffGrant(transaction, { staffId, merchantId: NIL_ID });
    await putStaffGrant(transaction, { staffId, merchantId: NIL_ID, role: 'owner', grantedBy: actor }, now);
    const scope = { staffId, merchantId: null };
    return { outcome: { kind: 'granted' }, audit: grantAudit('staff.role_granted', scope, before, 'owner') };
  });
}
