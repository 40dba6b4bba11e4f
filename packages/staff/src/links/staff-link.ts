import { createHash, randomBytes } from 'node:crypto';
import { NIL_ID } from '@switchyard/db';
import type { Prisma, StaffLink } from '@switchyard/db/client';
import { z } from 'zod';
import { merchantOfGrant, type RoleFor } from '../permissions/merchant-scope.ts';
import { type RoleKey, roleKey } from '../permissions/role-key.ts';

const HOUR_MS = 3_600_000;
/** How long links are valid. */
export const LINK_MS = { invitation: 7 * 24 * HOUR_MS, password_reset: HOUR_MS } as const;

/** A new link. Its secret is stored nowhere else: it must be delivered now or replaced. */
export interface IssuedLink {
  readonly linkId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

const storedGrants = z.array(z.object({ merchantId: z.uuid(), role: roleKey }));

/** The roles an invitation grants. Throws `ZodError` for JSON that we did not store. */
export function grantsOfLink(link: Pick<StaffLink, 'grants'>): RoleFor[] {
  return storedGrants.parse(link.grants).map(({ merchantId, role }) => ({ merchantId: merchantOfGrant(merchantId), role }));
}

/** Roles as a link stores them. */
export function grantsForLink(grants: readonly RoleFor[]): { merchantId: string; role: RoleKey }[] {
  return grants.map(({ merchantId, role }) => ({ merchantId: merchantId ?? NIL_ID, role }));
}

const BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a one-time link, and its stored hash. 256 random bits need no slow hash. */
export function newLinkToken(): { readonly token: string; readonly tokenHash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** A link to issue. */
type NewStaffLink = Pick<StaffLink, 'kind' | 'email' | 'name' | 'staffId' | 'twoFactorRequired' | 'createdBy'> & {
  readonly grants: readonly RoleFor[];
};

/** Issues a link in the place of the open ones of its kind and address. Only the hash of its secret is stored. */
export async function issueStaffLink(
  transaction: Prisma.TransactionClient,
  linkId: string,
  { grants, ...link }: NewStaffLink,
  now: Date,
): Promise<IssuedLink> {
  await revokeStaffLinks(transaction, { kind: link.kind, email: link.email }, now);
  const { token, tokenHash } = newLinkToken();
  const expiresAt = new Date(now.getTime() + LINK_MS[link.kind]);
  const data = { ...link, id: linkId, tokenHash, grants: grantsForLink(grants), createdAt: now, expiresAt };
  await transaction.staffLink.create({ data });
  return { linkId, token, expiresAt };
}

/** The link of a secret; null for one that was used, withdrawn, has expired, or never existed. */
export async function findOpenLink(
  { staffLink }: Pick<Prisma.TransactionClient, 'staffLink'>,
  token: string,
  now: Date,
): Promise<StaffLink | null> {
  const link = SHAPE.test(token) ? await staffLink.findUnique({ where: { tokenHash: hashOf(token) } }) : null;
  return link !== null && link.usedAt === null && link.revokedAt === null && link.expiresAt > now ? link : null;
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
