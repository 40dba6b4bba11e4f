import type { Database } from '@switchyard/db';
import { isUuid, NIL_ID } from '@switchyard/db';
import type { Prisma, SessionFactor } from '@switchyard/db/client';
import type { RoleKey } from '../permissions/permissions.ts';
import type { StaffSession } from '../permissions/staff-session.ts';
import { roleKeyOfRow, type StoredRole, storedRole, toRole, WITH_ROLE } from '../permissions/stored-role.ts';

/** A staff user with all their roles. */
export interface StaffUserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  readonly twoFactorRequired: boolean;
  /** Signs in with a password where a provider is required. */
  readonly breakGlass: boolean;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  /** `merchantId` is the nil UUID for all merchants. */
  readonly grants: readonly {
    readonly merchantId: string;
    readonly role: RoleKey;
    /** The provider's group that gives it; null for a role given by hand. */
    readonly group: string | null;
  }[];
  /** The provider that provisions them; null where none does. One with `deletedAt` has deleted them. */
  readonly scimUser: { readonly deletedAt: Date | null; readonly provider: { readonly name: string } } | null;
}

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

/** A row with the keys of its roles. */
function withRoleKeys<
  Row extends { readonly grants: readonly (StoredRole & { readonly merchantId: string; readonly group: string | null })[] },
>(row: Row) {
  const grants = row.grants.map((grant) => ({ merchantId: grant.merchantId, role: roleKeyOfRow(grant), group: grant.group }));
  return { ...row, grants };
}

const PEOPLE_MAX = 2_000;

/**
 * Staff users with a role for one of these merchants (the nil UUID: for all of them), or with null all staff users; 2,000 at most.
 */
export async function listStaffUserRows(
  database: Database,
  merchantIds: readonly string[] | null,
): Promise<(StaffUserRow & { readonly lastSeenAt: Date | null })[]> {
  const rows = await database.prisma.staffUser.findMany({
    where: merchantIds === null ? {} : { grants: { some: { merchantId: { in: merchantIds.filter(isUuid) } } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: PEOPLE_MAX,
    select: { ...person, sessions: { select: { updatedAt: true }, orderBy: { updatedAt: 'desc' }, take: 1 } },
  });
  return rows.map(({ sessions, ...row }) => ({ ...withRoleKeys(row), lastSeenAt: sessions[0]?.updatedAt ?? null }));
}

/** A staff user, enabled or not; null when there is none, or the id is no UUID. */
export async function findStaffUser(transaction: Prisma.TransactionClient, staffId: string): Promise<StaffUserRow | null> {
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

/** Changes the given fields of a staff user. */
export async function updateStaffUser(
  transaction: Prisma.TransactionClient,
  staffId: string,
  change: {
    readonly disabledAt?: Date | null;
    readonly twoFactorRequired?: boolean;
    readonly twoFactorEnabled?: boolean;
  },
  now: Date,
): Promise<void> {
  await transaction.staffUser.update({ where: { id: staffId }, data: { ...change, updatedAt: now } });
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

/** Removes a staff user's second step with its backup codes. */
export async function deleteStaffTwoFactor(transaction: Prisma.TransactionClient, staffId: string): Promise<void> {
  await transaction.staffTwoFactor.deleteMany({ where: { userId: staffId } });
}

/** A browser with an open session. */
export interface StaffSessionRow {
  readonly id: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /** Last seen, to the minute. */
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

const SESSIONS_MAX = 200;

/** A staff user's open sessions, last seen first. */
export function listStaffSessions(
  database: Database,
  query: { readonly staffId: string; readonly seenAfter: Date; readonly now: Date },
): Promise<StaffSessionRow[]> {
  return database.prisma.staffSession.findMany({
    where: { userId: query.staffId, updatedAt: { gt: query.seenAfter }, expiresAt: { gt: query.now } },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
    take: SESSIONS_MAX,
    select: { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true, expiresAt: true },
  });
}

/** Ends a staff user's sessions: one, all but one, or all. Returns how many. */
export async function deleteStaffSessions(
  transaction: Prisma.TransactionClient,
  which: { readonly staffId: string; readonly sessionId?: string; readonly exceptSessionId?: string },
): Promise<number> {
  const { staffId, sessionId, exceptSessionId } = which;
  if ([staffId, sessionId, exceptSessionId].some((id) => id !== undefined && !isUuid(id))) return 0;
  const id = {
    ...(sessionId !== undefined && { equals: sessionId }),
    ...(exceptSessionId !== undefined && { not: exceptSessionId }),
  };
  const { count } = await transaction.staffSession.deleteMany({ where: { userId: staffId, id } });
  return count;
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
  return { merchantId: merchantId === NIL_ID ? null : merchantId, role: toRole(row) };
}

/** True if an e-mail address is of one of a provider's domains. Both are in lower case; domains are stored with commas. */
export function isOfDomains(email: string, domains: string): boolean {
  return domains.split(',').includes(email.slice(email.lastIndexOf('@') + 1));
}
