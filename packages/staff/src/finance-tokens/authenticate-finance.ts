import { timingSafeEqual } from 'node:crypto';
import { NIL_ID } from '@switchyard/db';
import type { Mode, StaffRole } from '@switchyard/db/client';
import { hashSecret } from '@switchyard/merchants/api-keys';
import type { TokenContext } from '../context.ts';
import { readBearerToken } from '../token-text.ts';
import { findFinanceToken, recordFinanceTokenUse } from './queries.ts';

/** The owner and the reach of a token. */
export interface FinanceAccess {
  readonly tokenId: string;
  readonly staffId: string;
  readonly merchantIds: readonly string[];
  readonly modes: readonly Mode[];
  /** The current permissions of its creator; null is all merchants. */
  readonly grants: readonly { readonly merchantId: string | null; readonly role: StaffRole }[];
}

/** Precision of the recorded last use of a token. */
const USE_RECORDED_MS = 60_000;
const NO_HASH = new Uint8Array(32);

/**
 * Authenticates the token of an `Authorization` header; null when it is invalid. It is looked up each time: a revoked token is
 * refused at once, everywhere, and so is one whose creator has been disabled.
 */
export async function authenticateFinance(
  context: TokenContext,
  authorizationHeader: string | null,
): Promise<FinanceAccess | null> {
  const presented = readBearerToken('fin', authorizationHeader);
  if (presented === null) return null;
  const { database, keyPepper } = context.resources;
  const found = await findFinanceToken(database, presented.publicId);
  const matches = timingSafeEqual(hashSecret(keyPepper, presented.secret), found?.secretHash ?? NO_HASH);
  const now = context.now();
  if (found === null || !matches || found.revokedAt !== null || found.expiresAt <= now) return null;
  const { grants, lastUsedAt } = found;
  if (grants === null) return null;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > USE_RECORDED_MS)
    await recordFinanceTokenUse(database, found.id, now);
  return {
    tokenId: found.id,
    staffId: found.createdBy,
    merchantIds: found.merchantIds,
    modes: found.modes,
    grants: grants.map(({ merchantId, role }) => ({ merchantId: merchantId === NIL_ID ? null : merchantId, role })),
  };
}
