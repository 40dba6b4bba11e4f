import type { Database } from '@switchyard/db';
import { isUuid } from '@switchyard/db';
import type { Prisma, StaffRole } from '@switchyard/db/client';

/** A staff user with all their roles. */
export interface StaffUserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  readonly twoFactorRequired: boolean;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  /** `merchantId` is the nil UUID for all merchants. */
  readonly grants: readonly { readonly merchantId: string; readonly role: StaffRole }[];
}

const person = {
  id: true,
  name: true,
  email: true,
  twoFactorEnabled: true,
  twoFactorRequired: true,
  disabledAt: true,
  createdAt: true,
  grants: { select: { merchantId: true, role: true }, orderBy: { merchantId: 'asc' } },
} as const;

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
  return rows.map(({ sessions, ...row }) => ({ ...row, lastSeenAt: sessions[0]?.updatedAt ?? null }));
}

/** A staff user, enabled or not; null when there is none, or the id is no UUID. */
export async function findStaffUser(transaction: Prisma.TransactionClient, staffId: string): Promise<StaffUserRow | null> {
  return isUuid(staffId) ? transaction.staffUser.findUnique({ where: { id: staffId }, select: person }) : null;
}

/** The staff user of this address, in lower case; null when there is none. */
export function findStaffUserByEmail(transaction: Prisma.TransactionClient, email: string): Promise<StaffUserRow | null> {
  return transaction.staffUser.findUnique({ where: { email }, select: person });
}

/** A new staff user with a password and roles. */
export interface NewStaffUserRow {
  readonly id: string;
  readonly credentialId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly twoFactorRequired: boolean;
  readonly grants: readonly { readonly merchantId: string; readonly role: StaffRole; readonly grantedBy: string }[];
}

/** Inserts a staff user with a password and grants in the caller's transaction; an address in use breaks its unique index. */
export async function insertStaffUser(transaction: Prisma.TransactionClient, fields: NewStaffUserRow, now: Date): Promise<void> {
  const { id, credentialId, passwordHash, grants, ...rest } = fields;
  const times = { createdAt: now, updatedAt: now };
  const credential = { id: credentialId, accountId: id, providerId: 'credential', password: passwordHash, ...times };
  await transaction.staffUser.create({
    data: {
      id,
      ...rest,
      ...times,
      emailVerified: true,
      accounts: { create: credential },
      grants: { create: grants.map((grant) => ({ ...grant, createdAt: now })) },
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
