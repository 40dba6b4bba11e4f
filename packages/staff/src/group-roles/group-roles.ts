import { type Database, NIL_ID } from '@switchyard/db';
import { type AuditKeys, appendAuditEntries } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { lockStaffGrants } from '../grants/change-team.ts';
import { merchantOfGrant, type RoleFor } from '../permissions/merchant-scope.ts';
import { mayGive } from '../permissions/permissions.ts';
import type { StaffGrant } from '../permissions/staff-session.ts';
import { findRole, roleKeyOfRow, storedRole } from '../permissions/stored-role.ts';

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

/** Why the roles of a provider's groups stay. */
export type GroupRolesRefusal =
  | { readonly kind: 'unknown_merchant' }
  | { readonly kind: 'unknown_role' }
  | { readonly kind: 'too_many_group_roles'; readonly limit: number }
  /** Only who has a role for all merchants that may give the row's role adds, changes or removes it. */
  | { readonly kind: 'not_allowed'; readonly groupRole: GroupRole };

/**
 * Why these roles may not take the place of a provider's present ones; null where they may. A row is added, moved or removed by a person
 * who may give its role for all merchants: a group decides who joins it, so no mapping gives more than its author could. The transaction
 * holds `lockStaffGrants`.
 */
export async function checkGroupRoles(
  transaction: Prisma.TransactionClient,
  {
    before,
    groupRoles,
    grants,
  }: {
    readonly before: readonly GroupRole[];
    readonly groupRoles: readonly GroupRole[];
    /** The grants of who changes them. */
    readonly grants: readonly StaffGrant[];
  },
): Promise<GroupRolesRefusal | null> {
  if (groupRoles.length > GROUP_ROLES_MAX) return { kind: 'too_many_group_roles', limit: GROUP_ROLES_MAX };
  const changed = groupRoles.filter((row, index) => !isSame(row, before[index]));
  const replaced = before.filter((row, index) => !isSame(row, groupRoles[index]));
  const givers = grants.filter(({ merchantId }) => merchantId === null).map(({ role }) => role);
  for (const groupRole of [...changed, ...replaced]) {
    const { merchantId } = groupRole;
    const role = await findRole(transaction, groupRole.role);
    if (role === null) return { kind: 'unknown_role' };
    if (!givers.some((giver) => mayGive(giver, role))) return { kind: 'not_allowed', groupRole };
    if (merchantId !== null && (merchantId === NIL_ID || (await findMerchantRow(transaction, merchantId)) === null)) {
      return { kind: 'unknown_merchant' };
    }
  }
  return null;
}

/**
 * Puts roles that {@link checkGroupRoles} allows in the place of a provider's present ones, in the caller's transaction and under its audit
 * entry. They hold from each person's next sign-in or provisioning.
 */
export async function putGroupRoles(
  context: Pick<StaffContext, 'newId'>,
  transaction: Prisma.TransactionClient,
  { providerId, groupRoles }: { readonly providerId: string; readonly groupRoles: readonly GroupRole[] },
): Promise<void> {
  await transaction.groupRole.deleteMany({ where: { providerId } });
  await transaction.groupRole.createMany({
    data: groupRoles.map(({ group, merchantId, role }, position) => {
      return { id: context.newId(), providerId, position, group, merchantId, ...storedRole(role) };
    }),
  });
}

function isSame(row: GroupRole, other: GroupRole | undefined): boolean {
  return row.group === other?.group && row.merchantId === other.merchantId && row.role === other.role;
}

/** The roles that these groups give, one for each merchant. */
export function rolesOfGroups(groupRoles: readonly GroupRole[], groups: readonly string[]): GroupRole[] {
  const member = new Set(groups);
  const roles = new Map<string | null, GroupRole>();
  for (const row of groupRoles) if (member.has(row.group) && !roles.has(row.merchantId)) roles.set(row.merchantId, row);
  return [...roles.values()];
}

/** People's groups as their provider has just named them. */
export interface AppliedGroups {
  readonly providerId: string;
  /** Each person once. */
  readonly people: readonly { readonly userId: string; readonly groups: readonly string[] }[];
  /** The author for the audit log, such as `system:single-sign-on`. */
  readonly actor: string;
  readonly now: Date;
}

/** A change of a person's role for a merchant, the nil UUID for all of them. */
interface RoleChange {
  readonly userId: string;
  readonly merchantId: string;
  readonly before: { readonly role: string; readonly group: string | null } | null;
  readonly after: { readonly role: string; readonly group: string } | null;
}

/**
 * Makes the roles that people have by this provider's groups equal to the mapping, each change with its audit entry in the caller's
 * transaction, in a few statements however many people there are. Roles given by hand or by another provider stay, and go before a group's
 * for the same merchant. The last workspace owner stays one. Returns how many roles were given, those in place of another included, and taken,
 * how many people got or lost one, and how many stay a workspace owner without a group that says so.
 */
export async function applyGroups(
  { resources, newId }: { readonly resources: { readonly auditKeys: AuditKeys }; readonly newId: () => string },
  transaction: Prisma.TransactionClient,
  { providerId, people, actor, now }: AppliedGroups,
) {
  await lockStaffGrants(transaction);
  const mapping = await listGroupRoles({ prisma: transaction }, providerId);
  const staffIds = people.map(({ userId }) => userId);
  const grants = Map.groupBy(
    await transaction.staffGrant.findMany({ where: { staffId: { in: staffIds } }, orderBy: { merchantId: 'asc' } }),
    ({ staffId }) => staffId,
  );
  const owners = await readOwners(transaction, staffIds);
  const changes: RoleChange[] = [];
  let ownersKept = 0;
  const change = (one: RoleChange) => {
    changes.push(one);
    if (isOwnerOfAll(one.merchantId, one.after?.role)) owners.gain(one.userId);
  };
  for (const { userId, groups } of people) {
    const wanted = rolesOfGroups(mapping, groups);
    const present = grants.get(userId) ?? [];
    for (const grant of present) {
      const { merchantId, group } = grant;
      const role = roleKeyOfRow(grant);
      const next = wanted.find((row) => (row.merchantId ?? NIL_ID) === merchantId);
      if (grant.providerId !== providerId || (role === next?.role && group === next.group)) continue;
      if (isOwnerOfAll(merchantId, role) && next?.role !== role && !owners.release(userId)) {
        ownersKept += 1;
        continue;
      }
      change({ userId, merchantId, before: { role, group }, after: next ?? null });
    }
    for (const row of wanted) {
      const merchantId = row.merchantId ?? NIL_ID;
      if (!present.some((grant) => grant.merchantId === merchantId)) change({ userId, merchantId, before: null, after: row });
    }
  }
  await writeChanges(transaction, changes, { providerId, actor, now });
  for (const [tenantId, some] of Map.groupBy(changes, ({ merchantId }) => merchantId)) {
    const entries = some.map(({ userId, merchantId, before, after }) => ({
      tenantId,
      entryId: newId(),
      actor,
      action: after === null ? 'staff.role_revoked' : 'staff.role_granted',
      objectType: 'staff',
      objectId: userId,
      before: shown(merchantId, before),
      after: shown(merchantId, after),
    }));
    await appendAuditEntries(transaction, resources.auditKeys, entries, now);
  }
  const given = changes.filter(({ after }) => after !== null).length;
  const changed = new Set(changes.map(({ userId }) => userId)).size;
  return { given, taken: changes.length - given, changed, ownersKept };
}

function isOwnerOfAll(merchantId: string, role: string | undefined): boolean {
  return merchantId === NIL_ID && role === 'owner';
}

/** The enabled owners of all merchants, while roles change. */
interface Owners {
  /** Counts a person as an owner from now on, if they are enabled. */
  gain(staffId: string): void;
  /** False for who must stay one: no one else could grant access any more, or they are the break-glass owner. */
  release(staffId: string): boolean;
}

async function readOwners(transaction: Prisma.TransactionClient, changing: readonly string[]): Promise<Owners> {
  const enabled = { disabledAt: null };
  const rows = await transaction.staffUser.findMany({
    where: { ...enabled, OR: [{ id: { in: [...changing] } }, { grants: { some: { merchantId: NIL_ID, role: 'owner' } } }] },
    select: { id: true, breakGlass: true, grants: { where: { merchantId: NIL_ID, role: 'owner' }, select: { role: true } } },
  });
  const isEnabled = new Set(rows.map(({ id }) => id));
  const owners = new Set(rows.filter(({ grants }) => grants.length > 0).map(({ id }) => id));
  const breakGlass = rows.find((row) => row.breakGlass)?.id;
  return {
    gain(staffId) {
      if (isEnabled.has(staffId)) owners.add(staffId);
    },
    release(staffId) {
      const others = owners.size - (owners.has(staffId) ? 1 : 0);
      if (others === 0 || staffId === breakGlass) return false;
      owners.delete(staffId);
      return true;
    },
  };
}

async function writeChanges(
  transaction: Prisma.TransactionClient,
  changes: readonly RoleChange[],
  { providerId, actor, now }: Omit<AppliedGroups, 'people'>,
): Promise<void> {
  const gone = changes.filter(({ before }) => before !== null);
  for (const [merchantId, some] of Map.groupBy(gone, (change) => change.merchantId)) {
    await transaction.staffGrant.deleteMany({ where: { merchantId, staffId: { in: some.map(({ userId }) => userId) } } });
  }
  await transaction.staffGrant.createMany({
    data: changes.flatMap(({ userId: staffId, merchantId, after }) =>
      after === null
        ? []
        : [{ staffId, merchantId, ...storedRole(after.role), group: after.group, providerId, grantedBy: actor, createdAt: now }],
    ),
  });
}

function shown(merchantId: string, role: RoleChange['before']) {
  return role && { role: role.role, merchantId: merchantOfGrant(merchantId), group: role.group };
}
