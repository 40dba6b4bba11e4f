import type { Database } from '@switchyard/db';
import { addToRollups } from './payment-rollups.ts';

/** Where the notes of changes are added up in one place at a time. */
export const COUNTING_LOCK = 7_240_117;

/** Adds the rows of `source`, shaped as notes of attempts, to the sums by hour. */
export function addAttemptsFrom(source: string): string {
  return `
hours AS (
  INSERT INTO attempt_rollup AS r (merchant_id, hour_at, account_id, gateway, result, latency_bucket, attempts)
  SELECT merchant_id, date_trunc('hour', created_at, 'UTC') AS hour_at, account_id, min(gateway), result, latency_bucket, sum(attempts)
  FROM ${source} GROUP BY merchant_id, hour_at, account_id, result, latency_bucket
  ON CONFLICT (merchant_id, hour_at, account_id, result, latency_bucket) DO UPDATE SET attempts = r.attempts + excluded.attempts)`;
}

const take = (table: string, id: string) => `
WITH free AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${COUNTING_LOCK}) AS held),
taken AS (
  DELETE FROM ${table} WHERE ${id} IN (SELECT ${id} FROM ${table} WHERE (SELECT held FROM free) LIMIT $1) RETURNING *)`;

const COUNT_PAYMENTS = `${take('payment_rollup_change', 'id')}, sums AS (${addToRollups('taken')}) SELECT count(*)::int AS taken FROM taken`;
const COUNT_ATTEMPTS = `${take('attempt_rollup_change', 'id')}, ${addAttemptsFrom('taken')} SELECT count(*)::int AS taken FROM taken`;

/**
 * Adds up to `limit` notes of each kind to the sums and takes them away, in one statement each: every note counts exactly once,
 * whatever dies meanwhile. Returns how many were counted; 0 too while somebody else is counting.
 */
export async function applyRollupChanges(database: Database, limit: number): Promise<number> {
  const payments = await database.pool.query<{ taken: number }>({
    name: 'count-payments',
    text: COUNT_PAYMENTS,
    values: [limit],
  });
  const attempts = await database.pool.query<{ taken: number }>({
    name: 'count-attempts',
    text: COUNT_ATTEMPTS,
    values: [limit],
  });
  return (payments.rows[0]?.taken ?? 0) + (attempts.rows[0]?.taken ?? 0);
}
