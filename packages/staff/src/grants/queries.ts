import type { Database } from '@switchyard/db';
import { isUuid } from '@switchyard/db';
import type { Prisma, StaffRole } from '@switchyard/db/client';
import type { Role, RoleKey } from '../permissions/permissions.ts';
import { roleKeyOfRow, storedRole, toRole, WITH_ROLE } from '../permissions/stored-role.ts';

/** A grant with its staff user. */
export interface ListedStaffGrant extends StaffGrantKey {
  readonly role: Role;
  readonly grantedBy: string;
  readonly createdAt: Date;
  readonly name: string;
  readonly email: string;
}

/** A grant's key: the staff user and the merchant, the nil UUID for all merchants. */
export interface StaffGrantKey {
  readonly staffId: string;
  readonly merchantId: string;
}

/** Locks all grants until the transaction ends: changes of permissions are serialized. */
export async function lockStaffGrants(transaction: Prisma.TransactionClient): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('staff-grants', 0))`;
}

/** True if there is a staff user of this id, enabled or not. */
export async function staffExists(transaction: Prisma.TransactionClient, staffId: string): Promise<boolean> {
  if (!isUuid(staffId)) return false;
  return (await transaction.staffUser.count({ where: { id: staffId } })) === 1;
}

/** A staff user's role for one merchant, or for all where the key has the nil UUID; null without one. */
export async function findStaffGrant(transaction: Prisma.TransactionClient, key: StaffGrantKey): Promise<RoleKey | null> {
  if (!isUuid(key.staffId) || !isUuid(key.merchantId)) return null;
  const { staffId, merchantId } = key;
  const row = await transaction.staffGrant.findUnique({ where: { staffId_merchantId: { staffId, merchantId } } });
  return row && roleKeyOfRow(row);
}

/** Gives a staff user a role for a merchant by hand, in place of the role held there before. */
export async function putStaffGrant(
  transaction: Prisma.TransactionClient,
  grant: StaffGrantKey & { readonly role: RoleKey; readonly grantedBy: string },
  now: Date,
): Promise<void> {
  const { staffId, merchantId, role, grantedBy } = grant;
  const given = { ...storedRole(role), grantedBy, group: null, providerId: null, createdAt: now };
  await transaction.staffGrant.upsert({
    where: { staffId_merchantId: { staffId, merchantId } },
    create: { staffId, merchantId, ...given },
    update: given,
  });
}

/** Deletes a grant in the caller's transaction. Throws when there is none. */
export async function deleteStaffGrant(transaction: Prisma.TransactionClient, key: StaffGrantKey): Promise<void> {
  const { staffId, merchantId } = key;
  await transaction.staffGrant.delete({ where: { staffId_merchantId: { staffId, merchantId } } });
}

/**
 * The number of enabled staff users with this role for this merchant (the nil UUID: for all of them), except one.
 */
export async function countStaffGrants(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  role: StaffRole,
  exceptStaffId?: string,
): Promise<number> {
  const others = exceptStaffId === undefined ? {} : { staffId: { not: exceptStaffId } };
  return transaction.staffGrant.count({ where: { merchantId, role, ...others, staff: { disabledAt: null } } });
}

/** Grants for any of these merchants, oldest first. */
export async function listStaffGrants(
  database: Database,
  query: { merchantIds: readonly string[]; limit: number },
): Promise<ListedStaffGrant[]> {
  const rows = await database.prisma.staffGrant.findMany({
    where: { merchantId: { in: query.merchantIds.filter(isUuid) } },
    orderBy: [{ createdAt: 'asc' }, { staffId: 'asc' }],
    take: query.limit,
    select: {
      staffId: true,
      merchantId: true,
      grantedBy: true,
      createdAt: true,
      ...WITH_ROLE,
      staff: { select: { name: true, email: true } },
    },
  });
  return rows.map(({ staff, customRole, role, ...grant }) => ({ ...grant, ...staff, role: toRole({ role, customRole }) }));
}
