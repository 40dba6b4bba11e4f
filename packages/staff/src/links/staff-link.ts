import { createHash, randomBytes } from 'node:crypto';
import { type Database, isUuid, NIL_ID } from '@switchyard/db';
import type { Prisma, StaffLink } from '@switchyard/db/client';
import { z } from 'zod';
import type { RoleFor } from '../permissions/merchant-scope.ts';
import { type RoleKey, roleKey } from '../permissions/role-key.ts';

const DAY_MS = 86_400_000;

/** How long an invitation's link is valid. */
export const INVITATION_MS = 7 * DAY_MS;

/** How long a link to reset a password is valid. */
export const RESET_MS = 3_600_000;

/** A new link. Its secret is stored nowhere else: it must be delivered now or replaced. */
export interface IssuedLink {
  readonly linkId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

const storedGrants = z.array(z.object({ merchantId: z.uuid(), role: roleKey }));

/** The roles an invitation grants. Throws `ZodError` for JSON that we did not store. */
export function grantsOfLink(link: Pick<StaffLink, 'grants'>): RoleFor[] {
  return storedGrants
    .parse(link.grants)
    .map(({ merchantId, role }) => ({ merchantId: merchantId === NIL_ID ? null : merchantId, role }));
}

/** Roles as a link stores them. */
export function grantsForLink(grants: readonly RoleFor[]): { merchantId: string; role: RoleKey }[] {
  return grants.map(({ merchantId, role }) => ({ merchantId: merchantId ?? NIL_ID, role }));
}

/** True if a link is still valid. */
export function isOpen(link: Pick<StaffLink, 'usedAt' | 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return link.usedAt === null && link.revokedAt === null && link.expiresAt > now;
}

const BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a one-time link, and its stored hash. 256 random bits need no slow hash. */
export function newLinkToken(): { readonly token: string; readonly tokenHash: Buffer<ArrayBuffer> } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

/** The hash of a link's secret, or null for text in another format. */
export function linkTokenHash(token: string): Buffer<ArrayBuffer> | null {
  return SHAPE.test(token) ? hashOf(token) : null;
}

function hashOf(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}

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
