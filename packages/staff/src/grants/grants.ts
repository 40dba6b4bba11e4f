import { isUuid, NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { merchantOfGrant } from '../permissions/merchant-scope.ts';
import { may, type Permission, type RoleKey } from '../permissions/permissions.ts';
import { findRole, roleKeyOfRow, storedRole, toRole, WITH_ROLE } from '../permissions/stored-role.ts';
import { changeTeam, type TeamChange } from './change-team.ts';

export { type ApproverWhoLeft, listApproversWhoLeft, listNeededDecisions, type NeededDecision } from './needed-decisions.ts';
export { listActiveStaffWhoMay, listMerchantsWithoutSecondApprover, type RuleApprover } from './rule-approvers.ts';

const GRANTS_MAX = 1_000;

/** Grants for a merchant with the staff users' names, those for all merchants included; with null, only those for all. At most 1000. */
export async function listGrants({ resources }: StaffContext, query: { readonly merchantId: string | null }) {
  const rows = await resources.database.prisma.staffGrant.findMany({
    where: { merchantId: { in: [NIL_ID, query.merchantId ?? NIL_ID].filter(isUuid) } },
    orderBy: [{ createdAt: 'asc' }, { staffId: 'asc' }],
    take: GRANTS_MAX,
    select: {
      staffId: true,
      merchantId: true,
      grantedBy: true,
      createdAt: true,
      ...WITH_ROLE,
      staff: { select: { name: true, email: true } },
    },
  });
  return rows.map(({ staffId, staff, merchantId, grantedBy, createdAt: grantedAt, ...row }) => {
    return { staffId, ...staff, merchantId: merchantOfGrant(merchantId), role: toRole(row), grantedBy, grantedAt };
  });
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

/** A staff user's role for one merchant, or for all of them where `merchantId` is null. */
interface GrantScope {
  readonly staffId: string;
  readonly merchantId: string | null;
}

/** A grant's merchant as its row stores it. */
const tenantOf = ({ merchantId }: GrantScope) => merchantId ?? NIL_ID;

const keyOf = (scope: GrantScope) => ({ staffId_merchantId: { staffId: scope.staffId, merchantId: tenantOf(scope) } });

/** The role of a staff user there; null without one. */
async function findGrant(transaction: Prisma.TransactionClient, scope: GrantScope): Promise<RoleKey | null> {
  if (!isUuid(scope.staffId) || !isUuid(tenantOf(scope))) return null;
  const row = await transaction.staffGrant.findUnique({ where: keyOf(scope) });
  return row && roleKeyOfRow(row);
}

/** Gives a role by hand, in place of the one held there before. */
async function putRole(transaction: Prisma.TransactionClient, scope: GrantScope, role: RoleKey, grantedBy: string, now: Date) {
  const given = { ...storedRole(role), grantedBy, group: null, providerId: null, createdAt: now };
  const create = { staffId: scope.staffId, merchantId: tenantOf(scope), ...given };
  await transaction.staffGrant.upsert({ where: keyOf(scope), create, update: given });
}

async function staffExists({ staffUser }: Prisma.TransactionClient, staffId: string): Promise<boolean> {
  return isUuid(staffId) && (await staffUser.count({ where: { id: staffId } })) === 1;
}

/** Enabled owners of all merchants, except one. */
function countOwners({ staffGrant }: Prisma.TransactionClient, except: string = NIL_ID): Promise<number> {
  return staffGrant.count({
    where: { merchantId: NIL_ID, role: 'owner', staffId: { not: except }, staff: { disabledAt: null } },
  });
}

/** Result of taking a role away, or the reason why it was refused. */
export type RevokeRoleOutcome =
  | { readonly kind: 'revoked'; readonly before: RoleKey }
  | { readonly kind: 'not_found' }
  /** The staff user is the last workspace owner and must stay one. */
  | { readonly kind: 'last_owner' };

/** Revokes a staff user's role. Their other roles stay. */
export async function revokeRole(
  context: StaffContext,
  command: GrantScope & { readonly actor: string },
): Promise<RevokeRoleOutcome> {
  return changeTeam<RevokeRoleOutcome>(context, command.actor, async (transaction) => {
    const before = await findGrant(transaction, command);
    if (before === null) return { outcome: { kind: 'not_found' } };
    if (await isLastOwner(transaction, command, before)) return { outcome: { kind: 'last_owner' } };
    await transaction.staffGrant.delete({ where: keyOf(command) });
    return { outcome: { kind: 'revoked', before }, ...recorded('staff.role_revoked', command, before, null) };
  });
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
export async function grantRole(
  context: StaffContext,
  command: GrantScope & { readonly role: RoleKey; readonly actor: string },
): Promise<GrantRoleOutcome> {
  const { staffId, merchantId, role, actor } = command;
  return changeTeam<GrantRoleOutcome>(context, actor, async (transaction, now) => {
    if (!(await staffExists(transaction, staffId))) return { outcome: { kind: 'unknown_staff' } };
    if (merchantId !== null && (merchantId === NIL_ID || (await findMerchantRow(transaction, merchantId)) === null)) {
      return { outcome: { kind: 'unknown_merchant' } };
    }
    if ((await findRole(transaction, role)) === null) return { outcome: { kind: 'unknown_role' } };
    const before = await findGrant(transaction, command);
    if (before === role) return { outcome: { kind: 'granted', before } };
    if (await isLastOwner(transaction, command, before)) return { outcome: { kind: 'last_owner' } };
    await putRole(transaction, command, role, actor, now);
    return { outcome: { kind: 'granted', before }, ...recorded('staff.role_granted', command, before, role) };
  });
}

/**
 * True if this workspace owner must stay one: no other enabled staff user is, and no one could grant access any more, or they are the
 * break-glass owner.
 */
export async function isLastOwner(
  transaction: Prisma.TransactionClient,
  { staffId, merchantId }: GrantScope,
  role: RoleKey | null | undefined,
): Promise<boolean> {
  if (merchantId !== null || role !== 'owner') return false;
  if ((await countOwners(transaction, staffId)) === 0) return true;
  return (await transaction.staffUser.count({ where: { id: staffId, breakGlass: true } })) === 1;
}

/** The audit row of a change from one role to another; null is none. */
function recorded(
  action: string,
  scope: GrantScope,
  from: RoleKey | null,
  to: RoleKey | null,
): Omit<TeamChange<unknown>, 'outcome'> {
  const shown = (role: RoleKey | null) => role && { role, merchantId: scope.merchantId };
  const audit = { action, objectType: 'staff', objectId: scope.staffId, before: shown(from), after: shown(to) };
  return { audit, tenantId: tenantOf(scope) };
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
  { staffId, actor }: { readonly staffId: string; readonly actor: string },
): Promise<BootstrapOwnerOutcome> {
  const scope = { staffId, merchantId: null };
  return changeTeam<BootstrapOwnerOutcome>(context, actor, async (transaction, now) => {
    if (!(await staffExists(transaction, staffId))) return { outcome: { kind: 'unknown_staff' } };
    if ((await countOwners(transaction)) > 0) return { outcome: { kind: 'owner_exists' } };
    const before = await findGrant(transaction, scope);
    await putRole(transaction, scope, 'owner', actor, now);
    return { outcome: { kind: 'granted' }, ...recorded('staff.role_granted', scope, before, 'owner') };
  });
}
