import type { Prisma } from '@switchyard/db/client';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import { refine } from 'zod/mini';
import type { StaffContext } from '../context.ts';
import { shortName } from '../entered-fields.ts';
import { changeTeam } from '../grants/change-team.ts';
import { grantsOfLink } from '../links/staff-link.ts';
import { CUSTOM_PERMISSIONS, type CustomRole, MODE_PERMISSIONS, STAFF_ROLES } from '../permissions/permissions.ts';
import { findCustomRole, toCustomRole } from '../permissions/stored-role.ts';

/** Most roles of a workspace's own. */
const ROLES_MAX = 50;

/** The roles of the workspace's own, by name, with the number of people who have each. */
export async function listCustomRoles({ resources }: StaffContext) {
  const { prisma } = resources.database;
  const [rows, grants] = await Promise.all([
    prisma.customRole.findMany({ orderBy: { name: 'asc' }, take: ROLES_MAX }),
    prisma.staffGrant.findMany({
      where: { customRoleId: { not: null } },
      distinct: ['staffId', 'customRoleId'],
      select: { customRoleId: true },
    }),
  ]);
  return rows.map((row) => ({
    ...toCustomRole(row),
    people: grants.filter(({ customRoleId }) => customRoleId === row.id).length,
  }));
}

/** A role of the workspace's own as it is entered. */
export interface RoleFields {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly testPermissions: readonly string[];
}

/** The role as stored, or why it was not. */
export type SaveRoleOutcome =
  | { readonly kind: 'saved'; readonly role: CustomRole }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** Another role has this name. */
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'too_many_roles'; readonly limit: number }
  | { readonly kind: 'not_found' };

const NOT_OFFERED = 'must be permissions that a role may have';
const fieldsSchema = z
  .object({
    name: shortName.check(
      refine((name) => !STAFF_ROLES.some((role) => role === name.toLowerCase()), 'must not be the name of a role that there is'),
    ),
    permissions: z.array(z.enum(CUSTOM_PERMISSIONS, NOT_OFFERED)),
    testPermissions: z.array(z.enum(MODE_PERMISSIONS, NOT_OFFERED)),
  })
  .transform(({ permissions, testPermissions, ...rest }) => ({
    ...rest,
    permissions: CUSTOM_PERMISSIONS.filter((permission) => permissions.includes(permission)),
    // Permissions of both modes hold in test mode.
    testPermissions: MODE_PERMISSIONS.filter((each) => testPermissions.includes(each) && !permissions.includes(each)),
  }))
  .refine(({ permissions, testPermissions }) => permissions.length + testPermissions.length > 0, {
    path: ['permissions'],
    message: 'must have at least one permission',
  });

/**
 * Creates a role of the workspace's own, or with `roleId` changes one: for everyone who has it, at once. No such role gives roles away. The
 * caller checks that the actor manages the team of all merchants, and so has all that a role may allow.
 */
export async function saveCustomRole(
  context: StaffContext,
  command: RoleFields & { readonly roleId: string | null; readonly actor: string },
): Promise<SaveRoleOutcome> {
  const parsed = fieldsSchema.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const fields = parsed.data;
  const { roleId, actor } = command;
  return changeTeam<SaveRoleOutcome>(context, actor, async (transaction, now) => {
    const before = roleId === null ? null : await findCustomRole(transaction, roleId);
    if (roleId !== null && before === null) return { outcome: { kind: 'not_found' } };
    const named = await transaction.customRole.findFirst({ where: { name: { equals: fields.name, mode: 'insensitive' } } });
    if (named !== null && named.id !== roleId) return { outcome: { kind: 'name_taken' } };
    if (before === null && (await transaction.customRole.count()) >= ROLES_MAX) {
      return { outcome: { kind: 'too_many_roles', limit: ROLES_MAX } };
    }
    const id = before?.roleId ?? context.newId();
    const row = await transaction.customRole.upsert({
      where: { id },
      create: { id, ...fields, createdAt: now, updatedAt: now },
      update: { ...fields, updatedAt: now },
    });
    const action = before === null ? 'custom_role.created' : 'custom_role.changed';
    return {
      outcome: { kind: 'saved', role: toCustomRole(row) },
      audit: { action, objectType: 'custom_role', objectId: id, before: before && audited(before), after: fields },
    };
  });
}

/** Result of removing a role, or why it stays. */
export type RemoveRoleOutcome =
  | { readonly kind: 'removed' }
  /** People have it, or open invitations or groups of a provider give it. */
  | { readonly kind: 'in_use'; readonly people: number; readonly invitations: number; readonly groups: number }
  | { readonly kind: 'not_found' };

/** Removes a role of the workspace's own that no one has. */
export async function removeCustomRole(
  context: StaffContext,
  { roleId, actor }: { readonly roleId: string; readonly actor: string },
): Promise<RemoveRoleOutcome> {
  return changeTeam<RemoveRoleOutcome>(context, actor, async (transaction, now) => {
    const before = await findCustomRole(transaction, roleId);
    if (before === null) return { outcome: { kind: 'not_found' } };
    const people = await transaction.staffGrant.count({ where: { customRoleId: roleId } });
    const invitations = await countInvitations(transaction, roleId, now);
    const groups = await transaction.groupRole.count({ where: { customRoleId: roleId } });
    if (people + invitations + groups > 0) return { outcome: { kind: 'in_use', people, invitations, groups } };
    await transaction.customRole.delete({ where: { id: roleId } });
    return {
      outcome: { kind: 'removed' },
      audit: { action: 'custom_role.removed', objectType: 'custom_role', objectId: roleId, before: audited(before), after: null },
    };
  });
}

/** Open invitations that give a role. */
async function countInvitations(transaction: Prisma.TransactionClient, roleId: string, now: Date): Promise<number> {
  const links = await transaction.staffLink.findMany({
    where: { kind: 'invitation', usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    select: { grants: true },
  });
  return links.filter((link) => grantsOfLink(link).some(({ role }) => role === roleId)).length;
}

function audited({ name, permissions, testPermissions }: CustomRole) {
  return { name, permissions: [...permissions], testPermissions: [...testPermissions] };
}
