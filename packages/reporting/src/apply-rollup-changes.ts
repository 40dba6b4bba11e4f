import type { Database } from '@switchyard/db';
import { addToRollups } from './payment-rollups.ts';

/** Advisory lock: one process applies change records at a time. */
export const ROLLUP_LOCK = 7_240_117;

/** Adds the rows of `source`, shaped as change records of attempts, to the hourly roll-ups. */
export function addAttemptsFrom(source: string): string {
  return `
hours AS (
  INSERT INTO attempt_rollup AS r (merchant_id, hour_at, account_id, gateway, result, latency_bucket, attempts)
  SELECT merchant_id, date_trunc('hour', created_at, 'UTC') AS hour_at, account_id, min(gateway), result, latency_bucket, sum(attempts)
  FROM ${source} GROUP BY merchant_id, hour_at, account_id, result, latency_bucket
  ON CONFLICT (merchant_id, hour_at, account_id, result, latency_bucket) DO UPDATE SET attempts = r.attempts + excluded.attempts)`;
}

const take = (table: string) => `
WITH free AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${ROLLUP_LOCK}) AS locked),
taken AS (
  DELETE FROM ${table} WHERE (merchant_id, id) IN (SELECT merchant_id, id FROM ${table} WHERE (SELECT locked FROM free) LIMIT $1)
  RETURNING *)`;

const APPLY_PAYMENT_CHANGES = `${take('payment_rollup_change')}, rollups AS (${addToRollups('taken')}) SELECT count(*)::int AS taken FROM taken`;
const APPLY_ATTEMPT_CHANGES = `${take('attempt_rollup_change')}, ${addAttemptsFrom('taken')} SELECT count(*)::int AS taken FROM taken`;

/**
 * Applies at most `limit` change records of each kind to the roll-ups and deletes them in the same statement, so that each counts
 * exactly once even after a crash. Returns how many were applied; 0 also while another process applies them.
 */
export async function applyRollupChanges(database: Database, limit: number): Promise<number> {
  const payments = await database.pool.query<{ taken: number }>({
    name: 'apply-payment-rollup-changes',
    text: APPLY_PAYMENT_CHANGES,
    values: [limit],
  });
  const attempts = await database.pool.query<{ taken: number }>({
    name: 'apply-attempt-rollup-changes',
    text: APPLY_ATTEMPT_CHANGES,
    values: [limit],
  });
  return (payments.rows[0]?.taken ?? 0) + (attempts.rows[0]?.taken ?? 0);
}
