import type { Database } from '@switchyard/db';
import { isUuid } from '@switchyard/db';
import type { Prisma, StaffLink } from '@switchyard/db/client';

/** A new one-time link. */
export type NewStaffLink = Omit<StaffLink, 'usedAt' | 'revokedAt' | 'grants'> & { readonly grants: Prisma.InputJsonArray };

/** Inserts a link in the caller's transaction; only the hash of its token is stored. */
export async function insertStaffLink(transaction: Prisma.TransactionClient, link: NewStaffLink): Promise<void> {
  await transaction.staffLink.create({ data: { ...link, tokenHash: new Uint8Array(link.tokenHash) } });
}

/** The link of a secret, locked for update: of two concurrent uses the second waits, and finds it used. */
export async function takeStaffLink(transaction: Prisma.TransactionClient, tokenHash: Uint8Array): Promise<StaffLink | null> {
  const bytes = Buffer.from(tokenHash);
  const rows = await transaction.$queryRaw<{ id: string }[]>`SELECT id FROM staff_link WHERE token_hash = ${bytes} FOR UPDATE`;
  const id = rows[0]?.id;
  return id === undefined ? null : transaction.staffLink.findUnique({ where: { id } });
}

/** A link by id, used or not; null when there is none. */
export async function findStaffLink(transaction: Prisma.TransactionClient, id: string): Promise<StaffLink | null> {
  return isUuid(id) ? transaction.staffLink.findUnique({ where: { id } }) : null;
}

/** Changes the given fields of a link. */
export async function updateStaffLink(
  transaction: Prisma.TransactionClient,
  id: string,
  change: {
    readonly usedAt?: Date;
    readonly revokedAt?: Date | null;
    readonly staffId?: string;
    readonly tokenHash?: Uint8Array;
    readonly expiresAt?: Date;
  },
): Promise<void> {
  const { tokenHash, ...rest } = change;
  const hash = tokenHash === undefined ? {} : { tokenHash: new Uint8Array(tokenHash) };
  await transaction.staffLink.update({ where: { id }, data: { ...rest, ...hash } });
}

/** Invalidates the open links of a kind for an address, or of an author. Returns their number. */
export async function revokeStaffLinks(
  transaction: Prisma.TransactionClient,
  which: Pick<StaffLink, 'kind'> & (Pick<StaffLink, 'email'> | Pick<StaffLink, 'createdBy'>),
  now: Date,
): Promise<number> {
  const { count } = await transaction.staffLink.updateMany({
    where: { ...which, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  });
  return count;
}

const INVITATIONS_MAX = 500;

/** Invitations that are neither accepted nor withdrawn, newest first; also those that expired after `expiredAfter`. */
export function listStaffInvitations(database: Database, expiredAfter: Date): Promise<StaffLink[]> {
  return database.prisma.staffLink.findMany({
    where: { kind: 'invitation', usedAt: null, revokedAt: null, expiresAt: { gt: expiredAfter } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: INVITATIONS_MAX,
  });
}
