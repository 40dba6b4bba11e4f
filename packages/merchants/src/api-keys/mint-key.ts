import { randomBytes } from 'node:crypto';
import type { JsonValue } from '@switchyard/db';
import type { ApiKey, Prisma } from '@switchyard/db/client';
import type { MerchantsContext } from '../context.ts';
import { formatKey, hashSecret, makeKey } from './keys.ts';
import { insertApiKey, type ListedApiKey } from './queries.ts';

/** Most keys of one merchant and mode that may be usable at once. */
export const USABLE_KEYS_MAX = 100;

/** A new key with its text, which is available this one time only. */
export interface MintedKey {
  readonly secretKey: string;
  readonly key: ListedApiKey;
}

type WantedKey = Pick<
  ApiKey,
  'merchantId' | 'mode' | 'name' | 'createdBy' | 'expiresAt' | 'rotatedFromId' | 'scopes' | 'allowedAddresses'
>;

/** Writes a new key's row inside a configuration change. */
export async function mintKey(
  context: MerchantsContext,
  transaction: Prisma.TransactionClient,
  wanted: WantedKey,
  now: Date,
): Promise<MintedKey> {
  const parts = makeKey(wanted.mode, randomBytes);
  const secretKey = formatKey(parts);
  const key = await insertApiKey(transaction, {
    ...wanted,
    id: context.newId(),
    publicId: parts.publicId,
    secretHash: new Uint8Array(hashSecret(context.resources.keyPepper, parts.secret)),
    lastFour: secretKey.slice(-4),
    createdAt: now,
  });
  return { secretKey, key };
}

/** A key as the audit log records it. */
export function keyForAudit(key: ListedApiKey): JsonValue {
  return {
    mode: key.mode,
    publicId: key.publicId,
    name: key.name,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    rotatedFromId: key.rotatedFromId,
    scopes: [...key.scopes],
    allowedAddresses: [...key.allowedAddresses],
  };
}
