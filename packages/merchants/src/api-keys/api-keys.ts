import type { ApiKey } from '@switchyard/db/client';
import type { MerchantsContext } from '../context.ts';

export { authenticate } from './authenticate.ts';
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
