import type { Database } from '@switchyard/db';

const DELETE_COUNTS = `
DELETE FROM health_bucket WHERE (merchant_id, account_id, method, bucket_at, process_id) IN (
  SELECT merchant_id, account_id, method, bucket_at, process_id FROM health_bucket
  WHERE bucket_at < $1 ORDER BY bucket_at LIMIT $2)`;

/** Deletes health counts of all accounts from before a time, at most `limit` rows, oldest first; one at a time. Returns how many. */
export async function ageOutHealthCounts(database: Database, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(DELETE_COUNTS, [before, limit]);
  return rowCount ?? 0;
}

const DELETE_EVENTS = `
DELETE FROM health_event WHERE merchant_id = $1 AND id IN (
  SELECT id FROM health_event WHERE merchant_id = $1 AND created_at < $2
  ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes health changes of a merchant's accounts from before a time, at most `limit`, oldest first. Returns how many. */
export async function ageOutHealthEvents(database: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(DELETE_EVENTS, [merchantId, before, limit]);
  return rowCount ?? 0;
}
