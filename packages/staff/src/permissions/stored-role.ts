import { isUuid } from '@switchyard/db';
import type { CustomRole as CustomRoleRow, Prisma, StaffRole } from '@switchyard/db/client';
import { type CustomRole, type Role, type RoleKey, STAFF_ROLES } from './permissions.ts';

/** A grant's role as its row stores it: one of the two is set. */
export interface StoredRole {
  readonly role: StaffRole | null;
  readonly customRoleId: string | null;
}

/** The columns of a role. */
export function storedRole(key: RoleKey): StoredRole {
  const role = STAFF_ROLES.find((each) => each === key) ?? null;
  return { role, customRoleId: role === null ? key : null };
}

/** The key of a stored role. Throws for a row without one, which the database refuses. */
export function roleKeyOfRow({ role, customRoleId }: StoredRole): RoleKey {
  const key = role ?? customRoleId;
  if (key === null) throw new Error('a grant has no role');
  return key;
}

/** Reads the definition of a role of the workspace's own with a grant. */
export const WITH_ROLE = {
  role: true,
  customRole: { select: { id: true, name: true, permissions: true, testPermissions: true } },
} as const;

/** A stored role with what it allows. Throws for a row without one. */
export function toRole({
  role,
  customRole,
}: {
  readonly role: StaffRole | null;
  readonly customRole: Pick<CustomRoleRow, 'id' | 'name' | 'permissions' | 'testPermissions'> | null;
}): Role {
  const found = role ?? (customRole && toCustomRole(customRole));
  if (found === null) throw new Error('a grant has no role');
  return found;
}

/** A role of the workspace's own. */
export function toCustomRole({
  id,
  name,
  permissions,
  testPermissions,
}: Pick<CustomRoleRow, 'id' | 'name' | 'permissions' | 'testPermissions'>): CustomRole {
  return { roleId: id, name, permissions, testPermissions };
}

/** A role of the workspace's own by its id; null when there is none. */
export async function findCustomRole(transaction: Prisma.TransactionClient, roleId: string): Promise<CustomRole | null> {
  const row = isUuid(roleId) ? await transaction.customRole.findUnique({ where: { id: roleId } }) : null;
  return row && toCustomRole(row);
}

/** The role of a key; null when there is none. */
export async function findRole(transaction: Prisma.TransactionClient, key: RoleKey): Promise<Role | null> {
  return STAFF_ROLES.find((role) => role === key) ?? findCustomRole(transaction, key);
}
