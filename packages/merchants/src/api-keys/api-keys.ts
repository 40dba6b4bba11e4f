import { timingSafeEqual } from 'node:crypto';
import type { ApiKey, Mode } from '@switchyard/db/client';
import type { MerchantConfiguration } from '@switchyard/runtime';
import type { MerchantsContext } from '../context.ts';
import { guardOf, type KeyGuard } from './key-restrictions.ts';
import { keyUseOf } from './key-use.ts';
import { hashSecret, type KeyParts, parseKey } from './keys.ts';

export { KEY_SCOPES, type KeyScope } from './key-restrictions.ts';
export { flushKeyUse } from './key-use.ts';
export { hashSecret, makeSecret, withChecksum } from './keys.ts';

/** True if a key that authenticated earlier still may, for responses that last. Read from memory; counts as no use of the key. */
export async function isKeyUsable(context: MerchantsContext, publicId: string): Promise<boolean> {
  const found = await context.resources.configuration.findKey(publicId);
  return found !== undefined && isUsable(found.key, context.now());
}

/** True if a key is neither revoked nor expired at a moment. */
export function isUsable({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** The authenticated caller, or a refusal. A refusal gives no reason, so that callers cannot probe for keys. */
export type Authentication =
  | {
      readonly kind: 'authenticated';
      readonly configuration: MerchantConfiguration;
      readonly mode: Mode;
      readonly keyId: string;
      readonly publicId: string;
      /** Scopes and networks of the key; the caller checks both. */
      readonly guard: KeyGuard;
    }
  | { readonly kind: 'refused' };

const BEARER = /^bearer +(\S{1,200}) *$/i;
const NO_HASH = new Uint8Array(32);
const refused: Authentication = { kind: 'refused' };

/**
 * Authenticates the key of an `Authorization` header. Text that is not a well-formed key is refused before any look-up; keys are
 * found in memory. An unknown key is hashed and compared like a known one, so that timing reveals nothing. Throws only when a key
 * that is not in memory cannot be looked up because the database is unavailable.
 */
export async function authenticate(context: MerchantsContext, authorizationHeader: string | null): Promise<Authentication> {
  const text = BEARER.exec(authorizationHeader ?? '')?.[1];
  const presented = text === undefined ? null : parseKey(text);
  if (presented === null) return refused;
  const found = await context.resources.configuration.findKey(presented.publicId);
  const hash = hashSecret(context.resources.keyPepper, presented.secret);
  const matches = timingSafeEqual(hash, found?.key.secretHash ?? NO_HASH);
  const now = context.now();
  if (found === undefined || !matches || !mayBeUsed(found.key, presented, now)) return refused;
  context.resources.secrets.provePepper();
  const { id: keyId, publicId, merchantId, mode } = found.key;
  keyUseOf(context).record({ merchantId, keyId, usedAt: now, requests: 1 });
  return { kind: 'authenticated', configuration: found.merchant, mode, keyId, publicId, guard: guardOf(found.key) };
}

/** The row decides the mode: a checksum is no proof, so a test secret written as a live key must not pass. */
function mayBeUsed(key: ApiKey, presented: KeyParts, now: Date): boolean {
  if (key.mode !== presented.mode || key.revokedAt !== null) return false;
  return key.expiresAt === null || key.expiresAt > now;
}
