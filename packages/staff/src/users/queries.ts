import type { Database } from '@switchyard/db';
import { isUuid } from '@switchyard/db';
import type { Prisma, SessionFactor } from '@switchyard/db/client';
import { merchantOfGrant } from '../permissions/merchant-scope.ts';
import type { RoleKey } from '../permissions/permissions.ts';
import type { StaffSession } from '../permissions/staff-session.ts';
import { roleKeyOfRow, type StoredRole, storedRole, toRole, WITH_ROLE } from '../permissions/stored-role.ts';

/**
 * What is read of a staff user. The merchant of a role is the nil UUID for all of them; its group is null where it was given by hand. A provider
 * that provisions them has deleted them where `deletedAt` is set.
 */
const person = {
  id: true,
  name: true,
  email: true,
  twoFactorEnabled: true,
  twoFactorRequired: true,
  breakGlass: true,
  disabledAt: true,
  createdAt: true,
  grants: { select: { merchantId: true, role: true, customRoleId: true, group: true }, orderBy: { merchantId: 'asc' } },
  scimUser: { select: { deletedAt: true, provider: { select: { name: true } } } },
} as const;

/** A staff user with all their roles. */
export type StaffUserRow = NonNullable<Awaited<ReturnType<typeof findStaffUser>>>;

/** A row with the keys of its roles. */
function withRoleKeys<
  Row extends { readonly grants: readonly (StoredRole & { readonly merchantId: string; readonly group: string | null })[] },
>({ grants, ...row }: Row) {
  const roles = grants.map(({ merchantId, group, ...role }) => ({ merchantId, role: roleKeyOfRow(role), group }));
  return { ...row, grants: roles };
}

const PEOPLE_MAX = 2_000;

/**
 * Staff users with a role for one of these merchants (the nil UUID: for all of them), or with null all staff users; 2,000 at most.
 */
export async function listStaffUserRows(database: Database, merchantIds: readonly string[] | null) {
  const rows = await database.prisma.staffUser.findMany({
    where: merchantIds === null ? {} : { grants: { some: { merchantId: { in: merchantIds.filter(isUuid) } } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: PEOPLE_MAX,
    select: { ...person, sessions: { select: { updatedAt: true }, orderBy: { updatedAt: 'desc' }, take: 1 } },
  });
  return rows.map(({ sessions, ...row }) => ({ ...withRoleKeys(row), lastSeenAt: sessions[0]?.updatedAt ?? null }));
}

/** A staff user, enabled or not; null when there is none, or the id is no UUID. */
export async function findStaffUser(transaction: Prisma.TransactionClient, staffId: string) {
  const row = isUuid(staffId) ? await transaction.staffUser.findUnique({ where: { id: staffId }, select: person }) : null;
  return row && withRoleKeys(row);
}

/** The staff user of this address, in lower case; null when there is none. */
export async function findStaffUserByEmail(transaction: Prisma.TransactionClient, email: string): Promise<StaffUserRow | null> {
  const row = await transaction.staffUser.findUnique({ where: { email }, select: person });
  return row && withRoleKeys(row);
}

/** A new staff user with roles. */
export interface NewStaffUserRow {
  readonly id: string;
  readonly credentialId: string;
  readonly email: string;
  readonly name: string;
  /** Null for who signs in by a provider alone. */
  readonly passwordHash: string | null;
  readonly twoFactorRequired: boolean;
  readonly grants: readonly { readonly merchantId: string; readonly role: RoleKey; readonly grantedBy: string }[];
}

/** Inserts a staff user with grants in the caller's transaction; an address in use breaks its unique index. */
export async function insertStaffUser(transaction: Prisma.TransactionClient, fields: NewStaffUserRow, now: Date): Promise<void> {
  const { id, credentialId, passwordHash, grants, ...rest } = fields;
  const times = { createdAt: now, updatedAt: now };
  const credential = { id: credentialId, accountId: id, providerId: 'credential', password: passwordHash, ...times };
  const accounts = passwordHash === null ? {} : { create: credential };
  await transaction.staffUser.create({
    data: {
      id,
      ...rest,
      ...times,
      emailVerified: true,
      accounts,
      grants: { create: grants.map(({ role, ...grant }) => ({ ...grant, ...storedRole(role), createdAt: now })) },
    },
  });
}

/** Replaces the password hash of a staff user; with null no password is right. Sessions stay; the caller ends them. */
export async function setStaffPassword(
  transaction: Prisma.TransactionClient,
  staffId: string,
  passwordHash: string | null,
  now: Date,
): Promise<void> {
  const where = { userId: staffId, providerId: 'credential' };
  await transaction.staffCredential.updateMany({ where, data: { password: passwordHash, updatedAt: now } });
}

const GRANTS_MAX = 10_000;

/**
 * State of a staff user that every request checks; null when they are disabled. Without a required second step, no role applies. `factor`
 * is that of the session, null for a session that did not come by a provider.
 */
export async function readStaffUser(
  database: Database,
  staffId: string,
  factor: SessionFactor | null = null,
): Promise<Pick<StaffSession, 'name' | 'email' | 'twoFactorEnabled' | 'mustSetUpTwoFactor' | 'timeZone' | 'grants'> | null> {
  const found = await database.prisma.staffUser.findUnique({
    where: { id: staffId },
    select: {
      name: true,
      email: true,
      disabledAt: true,
      twoFactorEnabled: true,
      twoFactorRequired: true,
      timeZone: true,
      grants: { select: { merchantId: true, ...WITH_ROLE }, take: GRANTS_MAX },
    },
  });
  if (found === null || found.disabledAt !== null) return null;
  const { name, email, twoFactorEnabled, twoFactorRequired, timeZone, grants } = found;
  const mustSetUpTwoFactor = factor === 'pending' || (factor === null && twoFactorRequired && !twoFactorEnabled);
  return { name, email, twoFactorEnabled, mustSetUpTwoFactor, timeZone, grants: mustSetUpTwoFactor ? [] : grants.map(toGrant) };
}

function toGrant({ merchantId, ...row }: Parameters<typeof toRole>[0] & { readonly merchantId: string }) {
  return { merchantId: merchantOfGrant(merchantId), role: toRole(row) };
}

/** True if an e-mail address is of one of a provider's domains. Both are in lower case; domains are stored with commas. */
export function isOfDomains(email: string, domains: string): boolean {
  return domains.split(',').includes(email.slice(email.lastIndexOf('@') + 1));
}
