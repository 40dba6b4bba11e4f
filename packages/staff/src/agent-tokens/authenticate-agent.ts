import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '@switchyard/merchants/api-keys';
import type { TokenContext } from '../context.ts';
import { readBearerToken } from '../token-text.ts';
import { findAgentToken, recordAgentTokenUse } from './queries.ts';

/** The token of a request. What it reaches is decided by the roles that its staff user has now. */
export interface AgentAccess {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly staffId: string;
  readonly maySaveDrafts: boolean;
  readonly expiresAt: Date;
}

/** Precision of the recorded last use of a token. */
const USE_RECORDED_MS = 60_000;
const NO_HASH = new Uint8Array(32);

/** True if an `Authorization` header has the form of an agent token, even if there is no such token. */
export function isAgentToken(authorizationHeader: string | null): boolean {
  return readBearerToken('agt', authorizationHeader) !== null;
}

/**
 * Authenticates the agent token of an `Authorization` header; null when it is unknown, expired or revoked. It is looked up each time:
 * a revoked token is refused at once, everywhere. The caller checks the staff user.
 */
export async function authenticateAgent(context: TokenContext, authorizationHeader: string | null): Promise<AgentAccess | null> {
  const presented = readBearerToken('agt', authorizationHeader);
  if (presented === null) return null;
  const { database, keyPepper } = context.resources;
  const found = await findAgentToken(database, presented.publicId);
  const matches = timingSafeEqual(hashSecret(keyPepper, presented.secret), found?.secretHash ?? NO_HASH);
  const now = context.now();
  if (found === null || !matches || found.revokedAt !== null || found.expiresAt <= now) return null;
  const { id: tokenId, name: tokenName, staffId, maySaveDrafts, expiresAt, lastUsedAt } = found;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > USE_RECORDED_MS) {
    await recordAgentTokenUse(database, tokenId, now);
  }
  return { tokenId, tokenName, staffId, maySaveDrafts, expiresAt };
}
