import { type Database, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { AuditKeys } from '@switchyard/db/audit-keys';
import type { Prisma } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { isLastOwner } from '../grants/grants.ts';
import { deleteStaffGrant, lockStaffGrants, putStaffGrant } from '../grants/queries.ts';
import type { RoleFor } from '../permissions/merchant-scope.ts';
import { mayGive, type Role, STAFF_ROLES } from '../permissions/permissions.ts';
import type { StaffGrant } from '../permissions/staff-session.ts';
import { findCustomRole, roleKeyOfRow, storedRole } from '../permissions/stored-role.ts';
import { changeTeam } from '../users/change-team.ts';

/** Most rows of a provider. */
const GROUP_ROLES_MAX = 500;

/** A role that members of a group have. */
export interface GroupRole extends RoleFor {
  /** The group, exactly as the provider names it. */
  readonly group: string;
}

/** The roles of a provider's groups, in order: where several groups give a role for the same merchant, the first counts. */
export async function listGroupRoles(
  database: { readonly prisma: Pick<Database['prisma'], 'groupRole'> },
  providerId: string,
): Promise<GroupRole[]> {
  const rows = await database.prisma.groupRole.findMany({
    where: { providerId },
    orderBy: { position: 'asc' },
    take: GROUP_ROLES_MAX,
  });
  return rows.map(({ group, merchantId, ...role }) => ({ group, merchantId, role: roleKeyOfRow(role) }));
}

/** Asks to replace the roles of a provider's groups. */
export interface SetGroupRolesCommand {
  readonly providerId: string;
  readonly groupRoles: readonly GroupRole[];
  /** The grants of who changes them. */
  readonly grants: readonly StaffGrant[];
  readonly actor: string;
}

/** Result of replacing the roles, or the reason why they stay. */
export type SetGroupRolesOutcome =
  | { readonly kind: 'set' }
  | { readonly kind: 'unknown_provider' }
  | { readonly kind: 'unknown_merchant' }
  | { readonly kind: 'unknown_role' }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** Only who has a role for all merchants that may give the row's role adds, changes or removes it. */
  | { readonly kind: 'not_allowed'; readonly groupRole: GroupRole };

/**
 * Replaces the roles of a provider's groups. They hold from each person's next sign-in or provisioning. A row is added, moved or removed by
 * who may give its role for all merchants: a group decides who joins it, so no mapping gives more than its author could.
 */
export function setGroupRoles(context: StaffContext, command: SetGroupRolesCommand): Promise<SetGroupRolesOutcome> {
  const { providerId, groupRoles, grants, actor } = command;
  return changeTeam<SetGroupRolesOutcome>(context, actor, async (transaction) => {
    if (groupRoles.length > GROUP_ROLES_MAX) return refused({ kind: 'too_many', limit: GROUP_ROLES_MAX });
    if ((await transaction.ssoProvider.count({ where: { id: providerId } })) === 0) return refused({ kind: 'unknown_provider' });
    const before = await listGroupRoles({ prisma: transaction }, providerId);
    const changed = groupRoles.filter((row, index) => !isSame(row, before[index]));
    const replaced = before.filter((row, index) => !isSame(row, groupRoles[index]));
    if (changed.length + replaced.length === 0) return { outcome: { kind: 'set' }, audit: null };
    const givers = grants.filter(({ merchantId }) => merchantId === null).map(({ role }) => role);
    for (const groupRole of [...changed, ...replaced]) {
      const { merchantId } = groupRole;
      const role = await findRole(transaction, groupRole.role);
      if (role === null) return refused({ kind: 'unknown_role' });
      if (!givers.some((giver) => mayGive(giver, role))) return refused({ kind: 'not_allowed', groupRole });
      if (merchantId !== null && (merchantId === NIL_ID || (await findMerchantRow(transaction, merchantId)) === null)) {
        return refused({ kind: 'unknown_merchant' });
      }
    }
    await transaction.groupRole.deleteMany({ where: { providerId } });
    await transaction.groupRole.createMany({
      data: groupRoles.map(({ group, merchantId, role }, position) => {
        return { id: context.newId(), providerId, position, group, merchantId, ...storedRole(role) };
      }),
    });
    return {
      outcome: { kind: 'set' },
      audit: {
        action: 'group_roles.changed',
        objectType: 'sso_provider',
        objectId: providerId,
        before: { groupRoles: before.map(audited) },
        after: { groupRoles: groupRoles.map(audited) },
      },
    };
  });
}

function refused(outcome: SetGroupRolesOutcome) {
  return { outcome, audit: null };
}

function isSame(row: GroupRole, other: GroupRole | undefined): boolean {
  return row.group === other?.group && row.merchantId === other.merchantId && row.role === other.role;
}

function audited({ group, merchantId, role }: GroupRole) {
  return { group, merchantId, role };
}

async function findRole(transaction: Prisma.TransactionClient, key: string): Promise<Role | null> {
  return STAFF_ROLES.find((role) => role === key) ?? findCustomRole(transaction, key);
}

/** The roles that these groups give, one for each merchant. */
export function rolesOfGroups(groupRoles: readonly GroupRole[], groups: readonly string[]): GroupRole[] {
  const member = new Set(groups);
  const roles = new Map<string | null, GroupRole>();
  for (const row of groupRoles) if (member.has(row.group) && !roles.has(row.merchantId)) roles.set(row.merchantId, row);
  return [...roles.values()];
}

/** A person's groups as their provider has just named them. */
export interface AppliedGroups {
  readonly userId: string;
  readonly providerId: string;
  readonly groups: readonly string[];
  /** The author for the audit log, such as `system:single-sign-on`. */
  readonly actor: string;
  readonly now: Date;
}

/** Result of applying groups. */
export interface ApplyGroupsOutcome {
  readonly given: number;
  readonly taken: number;
  /** True if the person stays a workspace owner without a group that says so: there is no other one. */
  readonly ownerKept: boolean;
}

/**
 * Makes the roles that a person has by this provider's groups equal to the mapping, each change with its audit entry in the caller's
 * transaction. Roles given by hand or by another provider stay, and go before a group's for the same merchant. The last workspace owner
 * stays one.
 */
export async function applyGroups(
  { resources, newId }: { readonly resources: { readonly auditKeys: AuditKeys }; readonly newId: () => string },
  transaction: Prisma.TransactionClient,
  { userId, providerId, groups, actor, now }: AppliedGroups,
): Promise<ApplyGroupsOutcome> {
  await lockStaffGrants(transaction);
  const wanted = rolesOfGroups(await listGroupRoles({ prisma: transaction }, providerId), groups);
  const present = await transaction.staffGrant.findMany({ where: { staffId: userId } });
  const outcome = { given: 0, taken: 0, ownerKept: false };
  const record = async (action: string, merchantId: string, before: RoleChange | null, after: RoleChange | null) => {
    const what = { action, objectType: 'staff', objectId: userId, before: shown(before), after: shown(after) };
    await appendAuditEntry(transaction, resources.auditKeys, { tenantId: merchantId, entryId: newId(), actor, ...what }, now);
  };
  for (const grant of present) {
    const { merchantId } = grant;
    const before = { merchantId, role: roleKeyOfRow(grant), group: grant.group };
    const next = wanted.find((row) => (row.merchantId ?? NIL_ID) === merchantId);
    if (grant.providerId !== providerId || (before.role === next?.role && before.group === next.group)) continue;
    const scope = { staffId: userId, merchantId: merchantId === NIL_ID ? null : merchantId };
    if (next?.role !== before.role && (await isLastOwner(transaction, scope, before.role))) {
      outcome.ownerKept = true;
      continue;
    }
    if (next === undefined) {
      await deleteStaffGrant(transaction, { staffId: userId, merchantId });
      await record('staff.role_revoked', merchantId, before, null);
      outcome.taken += 1;
    } else {
      await give(merchantId, next, before);
    }
  }
  for (const row of wanted) {
    const merchantId = row.merchantId ?? NIL_ID;
    if (!present.some((grant) => grant.merchantId === merchantId)) await give(merchantId, row, null);
  }
  return outcome;

  async function give(merchantId: string, { role, group }: GroupRole, before: RoleChange | null): Promise<void> {
    await putStaffGrant(transaction, { staffId: userId, merchantId, role, grantedBy: actor, group, providerId }, now);
    await record('staff.role_granted', merchantId, before, { merchantId, role, group });
    outcome.given += 1;
  }
}

interface RoleChange {
  readonly merchantId: string;
  readonly role: string;
  readonly group: string | null;
}

function shown(change: RoleChange | null) {
  return (
    change && { role: change.role, merchantId: change.merchantId === NIL_ID ? null : change.merchantId, group: change.group }
  );
}
