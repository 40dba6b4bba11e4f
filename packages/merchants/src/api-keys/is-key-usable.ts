import type { MerchantsContext } from '../context.ts';

/** True if a key that authenticated earlier still may, for responses that last. Read from memory; counts as no use of the key. */
export async function isKeyUsable(context: MerchantsContext, publicId: string): Promise<boolean> {
  const found = await context.resources.configuration.findKey(publicId);
  if (found === undefined || found.key.revokedAt !== null) return false;
  return found.key.expiresAt === null || found.key.expiresAt > context.now();
}
