/* Exports for what authenticates tokens, apart from issuing and revoking them. */

import type { MachineToken } from '@switchyard/db/client';
import type { TokenContext } from '../context.ts';
import type { StaffGrant, StaffSession } from '../permissions/staff-session.ts';
import { readStaffUser } from '../users/queries.ts';
import { isSecretOf, isUseToRecord, readBearerToken } from './token-text.ts';

/** The owner and the reach of a token. */
export interface MachineAccess extends Readonly<Pick<MachineToken, 'staffId' | 'expiresAt'>> {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly scopes: readonly MachineToken['scopes'][number][];
  /** The merchants and modes of `reports`; the other scopes reach what their staff user does. */
  readonly merchantIds: readonly string[];
  readonly modes: readonly MachineToken['modes'][number][];
  /** The current permissions of its staff user, none while a second step is required and not set up; null is all merchants. */
  readonly grants: readonly StaffGrant[];
}

/**
 * Authenticates the token in an `Authorization` header; null when it is unknown, expired or revoked. It is looked up each time: a revoked
 * token is refused at once, everywhere, and so is one whose staff user has been disabled. What it may do, its scopes say.
 */
export async function authenticateToken(
  context: TokenContext,
  authorizationHeader: string | null,
): Promise<MachineAccess | null> {
  const presented = readBearerToken(authorizationHeader, ['fin', 'agt']);
  if (presented === null) return null;
  const { database, keyPepper } = context.resources;
  const found = await database.prisma.machineToken.findUnique({ where: { publicId: presented.publicId } });
  const matches = isSecretOf(found, keyPepper, presented.secret);
  const now = context.now();
  if (found === null || !matches || found.revokedAt !== null || found.expiresAt <= now) return null;
  const person = await readStaffUser(database, found.staffId);
  if (person === null) return null;
  const { id: tokenId, name: tokenName, staffId, scopes, merchantIds, modes, expiresAt } = found;
  if (isUseToRecord(found, now)) {
    await database.prisma.machineToken.updateMany({ where: { id: tokenId }, data: { lastUsedAt: now } });
  }
  return { tokenId, tokenName, staffId, scopes, merchantIds, modes, expiresAt, grants: person.grants };
}

/**
 * The session of the staff user that a token belongs to, with the roles that they have now; null for a disabled one, and for a token
 * that may call no tools.
 */
export async function readTokenSession(
  context: TokenContext,
  { tokenId, staffId, scopes, expiresAt }: MachineAccess,
): Promise<StaffSession | null> {
  if (!scopes.includes('tools')) return null;
  const person = await readStaffUser(context.resources.database, staffId);
  return person && { ...person, sessionId: tokenId, staffId, signedInAt: context.now(), endsAt: expiresAt };
}
