import type { Database } from '@switchyard/db';

/** Requests authenticated with one key since they were last written. */
export interface ApiKeyUse {
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
export async function recordApiKeyUse({ batches }: Database, uses: readonly ApiKeyUse[]): Promise<void> {
  const place = ({ merchantId, keyId }: ApiKeyUse) => `${merchantId} ${keyId}`;
  const sorted = uses.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  const keys = [sorted.map((use) => use.merchantId), sorted.map((use) => use.keyId), sorted.map((use) => use.usedAt)];
  await batches.query({ name: 'record-api-key-last-use', text: RECORD_LAST_USE, values: keys });
  await batches.query({ name: 'count-api-key-use', text: COUNT_USE, values: [...keys, sorted.map((use) => use.requests)] });
}
