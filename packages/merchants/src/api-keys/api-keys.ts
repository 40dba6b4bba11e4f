import { timingSafeEqual } from 'node:crypto';
import type { Database } from '@switchyard/db';
import type { ApiKey, Mode } from '@switchyard/db/client';
import type { MerchantConfiguration } from '@switchyard/runtime';
import type { MerchantsContext } from '../context.ts';
import { guardOf, type KeyGuard } from './key-restrictions.ts';
import { hashSecret, type KeyParts, parseKey } from './keys.ts';

export { type GrantableScopes, KEY_SCOPES, type KeyScope } from './key-restrictions.ts';
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
  return key.mode === presented.mode && isUsable(key, now);
}

/** Requests authenticated with one key since they were last written. */
interface ApiKeyUse {
  readonly merchantId: string;
  readonly keyId: string;
  /** The last time. */
  readonly usedAt: Date;
  readonly requests: number;
}

const RECORD_LAST_USE = `
UPDATE api_key SET last_used_at = GREATEST(api_key.last_used_at, use.used_at)
FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS use (merchant_id, id, used_at)
WHERE api_key.merchant_id = use.merchant_id AND api_key.id = use.id`;

const COUNT_USE = `
INSERT INTO api_key_use AS counts (merchant_id, key_id, day, requests)
SELECT merchant_id, id, (use.used_at AT TIME ZONE 'UTC')::date, use.requests
FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bigint[]) AS use (merchant_id, id, used_at, requests)
JOIN api_key USING (merchant_id, id)
ORDER BY merchant_id, id
ON CONFLICT (merchant_id, key_id, day) DO UPDATE SET requests = counts.requests + excluded.requests`;

/**
 * Records when keys were last used and how often, any number of them in two statements; the counts last, so that a caller that gets an
 * error may call again. Rows are taken in the order of their ids, so that two processes recording the same keys cannot deadlock.
 */
async function recordApiKeyUse({ batches }: Database, uses: readonly ApiKeyUse[]): Promise<void> {
  const place = ({ merchantId, keyId }: ApiKeyUse) => `${merchantId} ${keyId}`;
  const sorted = uses.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  const keys = [sorted.map((use) => use.merchantId), sorted.map((use) => use.keyId), sorted.map((use) => use.usedAt)];
  await batches.query({ name: 'record-api-key-last-use', text: RECORD_LAST_USE, values: keys });
  await batches.query({ name: 'count-api-key-use', text: COUNT_USE, values: [...keys, sorted.map((use) => use.requests)] });
}

const FLUSH_AFTER_MS = 10_000;

/** Collects when and how often keys were used and writes it in batches, so that no request waits for a write. */
export interface KeyUseRecorder {
  record(use: ApiKeyUse): void;
  /** Writes the collected uses in one statement. Rejects when the write fails; the uses then stay for the next flush. */
  flush(): Promise<void>;
}

/** A recorder that flushes `flushAfterMs` after the first use since the last flush. */
export function createKeyUseRecorder(database: Database, flushAfterMs: number = FLUSH_AFTER_MS): KeyUseRecorder {
  let pending = new Map<string, ApiKeyUse>();
  let timer: NodeJS.Timeout | undefined;

  function record(use: ApiKeyUse): void {
    const known = pending.get(use.keyId);
    const last = known !== undefined && known.usedAt > use.usedAt ? known : use;
    pending.set(use.keyId, { ...last, requests: use.requests + (known?.requests ?? 0) });
    // Other callers report database errors; these uses wait for the next flush.
    timer ??= setTimeout(() => void flush().catch(() => undefined), flushAfterMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const writing = [...pending.values()];
    pending = new Map();
    try {
      await recordApiKeyUse(database, writing);
    } catch (error) {
      for (const use of writing) record(use);
      throw error;
    }
  }

  return { record, flush };
}

const recorders = new WeakMap<Database, KeyUseRecorder>();

/** The process's one recorder for its database. */
export function keyUseOf(context: MerchantsContext): KeyUseRecorder {
  const { database } = context.resources;
  const known = recorders.get(database) ?? createKeyUseRecorder(database);
  recorders.set(database, known);
  return known;
}

/** Writes collected key uses now, before the process ends. Rejects when the write fails. */
export async function flushKeyUse(context: MerchantsContext): Promise<void> {
  await keyUseOf(context).flush();
}
