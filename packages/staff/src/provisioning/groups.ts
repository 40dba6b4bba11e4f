import { isUuid } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { changeTeam } from '../grants/change-team.ts';
import { applyGroups, listGroupRoles } from '../group-roles/group-roles.ts';
import type { ScimAccess } from './tokens.ts';
import { PROVISIONING_ACTOR } from './users.ts';

/** Most groups of a provider. */
const GROUPS_MAX = 1_000;
const MEMBERS_MAX = 2_000;

/** A group as a provider writes it. */
export interface GroupFields {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly memberIds: readonly string[];
}

/** A group that a provider provisions, with its members by name. */
export interface ProvisionedGroup {
  readonly groupId: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly { readonly userId: string; readonly name: string }[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Why a group was not changed. */
export type GroupRefusal =
  | { readonly kind: 'not_found' }
  /** Another group has this value. */
  | { readonly kind: 'taken'; readonly attribute: 'displayName' | 'externalId' }
  | { readonly kind: 'too_many_groups'; readonly limit: number }
  /** The provider provisions no such person. */
  | { readonly kind: 'unknown_member'; readonly userId: string };

/** Result of creating or changing a group. */
export type SaveGroupOutcome = { readonly kind: 'saved'; readonly group: ProvisionedGroup } | GroupRefusal;

const WITH_MEMBERS = {
  members: {
    select: { userId: true, user: { select: { staff: { select: { name: true } } } } },
    orderBy: { userId: 'asc' },
    take: MEMBERS_MAX,
  },
} as const;

type ScimGroupRow = Prisma.ScimGroupGetPayload<{ include: typeof WITH_MEMBERS }>;

function toGroup({ id: groupId, displayName, externalId, members, createdAt, updatedAt }: ScimGroupRow): ProvisionedGroup {
  const named = members.map(({ userId, user }) => ({ userId, name: user.staff.name }));
  return { groupId, displayName, externalId, members: named, createdAt, updatedAt };
}

function findRow(client: Prisma.TransactionClient, providerId: string, groupId: string): Promise<ScimGroupRow | null> {
  if (!isUuid(groupId)) return Promise.resolve(null);
  return client.scimGroup.findFirst({ where: { id: groupId, providerId }, include: WITH_MEMBERS });
}

/** A group of the provider; null when there is none. */
export async function findProvisionedGroup(
  { resources }: StaffContext,
  { providerId }: ScimAccess,
  groupId: string,
): Promise<ProvisionedGroup | null> {
  const row = await findRow(resources.database.prisma, providerId, groupId);
  return row && toGroup(row);
}

/** Filter and page of the groups of a provider, by equal values. */
export interface GroupQuery {
  readonly groupId?: string | undefined;
  readonly displayName?: string | undefined;
  readonly externalId?: string | undefined;
  readonly memberId?: string | undefined;
  readonly skip: number;
  readonly limit: number;
  /** False leaves the members out. */
  readonly withMembers: boolean;
}

/** Groups of the provider, in the order in which they came, and how many there are. */
export async function listProvisionedGroups(
  { resources }: StaffContext,
  { providerId }: ScimAccess,
  { groupId, displayName, externalId, memberId, skip, limit, withMembers }: GroupQuery,
): Promise<{ readonly groups: readonly ProvisionedGroup[]; readonly total: number }> {
  if ([groupId, memberId].some((id) => id !== undefined && !isUuid(id))) return { groups: [], total: 0 };
  const where: Prisma.ScimGroupWhereInput = {
    providerId,
    ...(groupId !== undefined && { id: groupId }),
    ...(displayName !== undefined && { displayNameKey: displayName.toLowerCase() }),
    ...(externalId !== undefined && { externalId }),
    ...(memberId !== undefined && { members: { some: { userId: memberId } } }),
  };
  const { scimGroup } = resources.database.prisma;
  const total = await scimGroup.count({ where });
  const page = { where, orderBy: [{ createdAt: 'asc' as const }, { id: 'asc' as const }], skip, take: limit };
  if (limit === 0) return { groups: [], total };
  const rows = withMembers
    ? await scimGroup.findMany({ ...page, include: WITH_MEMBERS })
    : (await scimGroup.findMany(page)).map((row) => ({ ...row, members: [] }));
  return { groups: rows.map(toGroup), total };
}

/** Creates a group. Its members get the roles that the provider's groups are mapped to. */
export function createProvisionedGroup(
  context: StaffContext,
  access: ScimAccess,
  fields: GroupFields,
): Promise<SaveGroupOutcome> {
  return saveGroup(context, access, null, () => fields);
}

/** Changes a group to what the provider writes. `change` is given the present fields. Who comes or goes gets or loses the roles of the group. */
export function changeProvisionedGroup(
  context: StaffContext,
  access: ScimAccess,
  groupId: string,
  change: (before: GroupFields) => GroupFields,
): Promise<SaveGroupOutcome> {
  return saveGroup(context, access, groupId, change);
}

/** Creates a group where the id is null, in a few statements however many people come or go. */
function saveGroup(
  context: StaffContext,
  access: ScimAccess,
  groupId: string | null,
  change: (before: GroupFields) => GroupFields,
): Promise<SaveGroupOutcome> {
  const { providerId, providerName: provider } = access;
  return changeTeam<SaveGroupOutcome>(context, PROVISIONING_ACTOR, async (transaction, now) => {
    const row = groupId === null ? null : await findRow(transaction, providerId, groupId);
    if (groupId !== null && row === null) return { outcome: { kind: 'not_found' } };
    const { displayName: nameBefore = '', externalId: idBefore = null, members = [] } = row ?? {};
    const present = new Set(members.map(({ userId }) => userId));
    const fields = change({ displayName: nameBefore, externalId: idBefore, memberIds: [...present] });
    const { displayName, externalId } = fields;
    const wanted = new Set(fields.memberIds);
    const added = [...wanted].filter((userId) => !present.has(userId));
    const removed = [...present].filter((userId) => !wanted.has(userId));
    const isRenamed = displayName !== nameBefore || externalId !== idBefore;
    if (row !== null && !isRenamed && added.length + removed.length === 0)
      return { outcome: { kind: 'saved', group: toGroup(row) } };
    const refusal = await findRefusal(transaction, providerId, { ...fields, memberIds: added }, groupId);
    if (refusal !== null) return { outcome: refusal };
    if (row === null && (await transaction.scimGroup.count({ where: { providerId } })) >= GROUPS_MAX) {
      return { outcome: { kind: 'too_many_groups', limit: GROUPS_MAX } };
    }
    const id = row?.id ?? context.newId();
    const stored = { displayName, displayNameKey: displayName.toLowerCase(), externalId, updatedAt: now };
    const create = { id, providerId, ...stored, createdAt: now };
    await transaction.scimGroup.upsert({ where: { id }, create, update: stored });
    await transaction.scimGroupMember.deleteMany({ where: { groupId: id, userId: { in: removed } } });
    await transaction.$executeRaw`INSERT INTO scim_group_member (group_id, user_id) SELECT ${id}::uuid, unnest(${added}::uuid[])`;
    const people = isRenamed ? [...new Set([...wanted, ...present])] : [...added, ...removed];
    const names = [displayName, externalId, nameBefore, idBefore];
    const rolesChanged = await applyRoles(context, transaction, access, { names, people }, now);
    const saved = await transaction.scimGroup.findUniqueOrThrow({ where: { id }, include: WITH_MEMBERS });
    return {
      outcome: { kind: 'saved', group: toGroup(saved) },
      audit: {
        action: row === null ? 'scim_group.created' : 'scim_group.changed',
        objectType: 'scim_group',
        objectId: id,
        before: row && { name: nameBefore, provider, externalId: idBefore },
        after: { name: displayName, provider, externalId, added, removed, rolesChanged },
      },
    };
  });
}

/** Result of deleting a group. */
type DeleteGroupOutcome = { readonly kind: 'deleted' } | { readonly kind: 'not_found' };

/** Deletes a group. Its members lose its roles. */
export function deleteProvisionedGroup(context: StaffContext, access: ScimAccess, groupId: string): Promise<DeleteGroupOutcome> {
  return changeTeam<DeleteGroupOutcome>(context, PROVISIONING_ACTOR, async (transaction, now) => {
    const row = await findRow(transaction, access.providerId, groupId);
    if (row === null) return { outcome: { kind: 'not_found' } };
    const { displayName: name, externalId } = row;
    const removed = row.members.map(({ userId }) => userId);
    await transaction.scimGroup.delete({ where: { id: groupId } });
    const changed = { names: [name, externalId], people: removed };
    const rolesChanged = await applyRoles(context, transaction, access, changed, now);
    return {
      outcome: { kind: 'deleted' },
      audit: {
        action: 'scim_group.deleted',
        objectType: 'scim_group',
        objectId: groupId,
        before: { name, provider: access.providerName, externalId },
        after: { removed, rolesChanged },
      },
    };
  });
}

async function findRefusal(
  transaction: Prisma.TransactionClient,
  providerId: string,
  { displayName, externalId, memberIds }: GroupFields,
  groupId: string | null,
): Promise<GroupRefusal | null> {
  const other = groupId === null ? {} : { id: { not: groupId } };
  const { scimGroup, scimUser } = transaction;
  if ((await scimGroup.count({ where: { providerId, displayNameKey: displayName.toLowerCase(), ...other } })) > 0) {
    return { kind: 'taken', attribute: 'displayName' };
  }
  if (externalId !== null && (await scimGroup.count({ where: { providerId, externalId, ...other } })) > 0) {
    return { kind: 'taken', attribute: 'externalId' };
  }
  const noId = memberIds.find((userId) => !isUuid(userId));
  if (noId !== undefined) return { kind: 'unknown_member', userId: noId };
  const where = { providerId, deletedAt: null, userId: { in: [...memberIds] } };
  const people = await scimUser.findMany({ where, select: { userId: true }, take: memberIds.length });
  const known = new Set(people.map(({ userId }) => userId));
  const unknown = memberIds.find((userId) => !known.has(userId));
  return unknown === undefined ? null : { kind: 'unknown_member', userId: unknown };
}

/**
 * Gives people the roles of the groups that they are in now. A group is mapped by its name, or by the id that its provider has for it, which
 * Entra ID writes into sign-ins. Returns how many people got or lost a role.
 */
async function applyRoles(
  context: StaffContext,
  transaction: Prisma.TransactionClient,
  { providerId }: ScimAccess,
  { names, people }: { readonly names: readonly (string | null)[]; readonly people: readonly string[] },
  now: Date,
): Promise<number> {
  const mapped = [...new Set((await listGroupRoles({ prisma: transaction }, providerId)).map(({ group }) => group))];
  if (!names.some((name) => name !== null && mapped.includes(name))) return 0;
  const memberships = await transaction.$queryRaw<{ userId: string; groups: string[] }[]>`
    SELECT member.user_id AS "userId", array_agg(DISTINCT name) AS groups
    FROM scim_group_member AS member JOIN scim_group ON scim_group.id = member.group_id
    CROSS JOIN LATERAL unnest(ARRAY[scim_group.display_name, scim_group.external_id]) AS name
    WHERE member.user_id = ANY(${[...people]}::uuid[]) AND name = ANY(${mapped}::text[]) GROUP BY member.user_id`;
  const groupsOf = new Map(memberships.map(({ userId, groups }) => [userId, groups]));
  const { changed } = await applyGroups(context, transaction, {
    providerId,
    people: people.map((userId) => ({ userId, groups: groupsOf.get(userId) ?? [] })),
    actor: PROVISIONING_ACTOR,
    now,
  });
  return changed;
}
