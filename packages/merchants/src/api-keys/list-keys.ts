import type { Mode } from '@switchyard/db/client';
import type { MerchantsContext } from '../context.ts';
import { type ListedApiKey, listApiKeys, readApiKeyRequests } from './queries.ts';

const KEYS_MAX = 1_000;

/** `expired` and `revoked` keys are refused. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** A key with its state now and its use. Its secret cannot be read back. */
export interface KeyInList extends ListedApiKey {
  readonly state: KeyState;
  /** Requests authenticated with it, today and on the six days before, in UTC. */
  readonly requestsInWeek: number;
}

const WEEK_MS = 6 * 24 * 3_600_000;

/** A merchant's keys, newest first, at most 1000, ended ones too. Never holds anything a key could be derived from. */
export async function listKeys(
  context: MerchantsContext,
  query: { readonly merchantId: string; readonly mode?: Mode },
): Promise<KeyInList[]> {
  const { merchantId, mode } = query;
  const { database } = context.resources;
  const keys = await listApiKeys(database, merchantId, { limit: KEYS_MAX, ...(mode && { mode }) });
  if (keys.length === 0) return [];
  const now = context.now();
  const requests = await readApiKeyRequests(database, merchantId, new Date(now.getTime() - WEEK_MS));
  return keys.map((key) => ({ ...key, state: keyState(key, now), requestsInWeek: requests.get(key.id) ?? 0 }));
}

/** State of a key at `now`; one with a future expiry is `expiring`. */
export function keyState(key: Pick<ListedApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'active';
  return key.expiresAt > now ? 'expiring' : 'expired';
}
