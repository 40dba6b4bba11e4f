import type { RouterOutputs } from '#/trpc/outputs.ts';

/** An API key, as the server lists it. */
export type KeyRow = RouterOutputs['keys']['list'][number];

/** True if requests with a key are answered. */
export function isUsable({ state }: Pick<KeyRow, 'state'>): boolean {
  return state === 'active' || state === 'expiring';
}

/** How many keys go on working without this one, which may have ended meanwhile. */
export function countOthers(keys: readonly Pick<KeyRow, 'keyId' | 'state'>[], keyId: string): number {
  return keys.filter((key) => isUsable(key) && key.keyId !== keyId).length;
}
