import type { Database } from '@switchyard/db';
import type { MerchantsContext } from '../context.ts';

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
