import type { Database } from '../connect.ts';
import { addTotalsFrom, DAY_ZONE } from './totals.ts';

/** Where the notes of changes are added up in one place at a time. */
export const COUNTING_LOCK = 7_240_117;

const KEY = 'merchant_id, mode, account_id, method, rule_id, currency, status';
const SUMS = 'sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)';
const ADD = ['payments', 'amount', 'fees', 'refunded', 'late'].map((name) => `${name} = r.${name} + excluded.${name}`).join(', ');
const COLUMNS = 'account_id, method, rule_id, currency, status, gateway, payments, amount, fees, refunded, late';

/** Adds the rows of `source`, shaped as notes of payments, to all sums of payments. */
export function addPaymentsFrom(source: string): string {
  return `
hours AS (
  INSERT INTO payment_hour AS r (merchant_id, mode, hour_at, ${COLUMNS})
  SELECT merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour_at, account_id, method, rule_id, currency, status,
    min(gateway), ${SUMS}
  FROM ${source} GROUP BY ${KEY}, hour_at
  ON CONFLICT (merchant_id, mode, hour_at, account_id, method, rule_id, currency, status) DO UPDATE SET ${ADD}),
days AS (
  INSERT INTO payment_day AS r (merchant_id, mode, day, ${COLUMNS})
  SELECT merchant_id, mode, (created_at AT TIME ZONE '${DAY_ZONE}')::date AS day, account_id, method, rule_id, currency, status,
    min(gateway), ${SUMS}
  FROM ${source} GROUP BY ${KEY}, day
  ON CONFLICT (merchant_id, mode, day, account_id, method, rule_id, currency, status) DO UPDATE SET ${ADD}),
totals AS (${addTotalsFrom(source)})`;
}

/** Fills an empty table of sums by hour from `source`, shaped as notes of payments; what is read together comes to lie together. */
export function makeHoursFrom(source: string): string {
  return `INSERT INTO payment_hour (merchant_id, mode, hour_at, ${COLUMNS})
  SELECT merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour_at, account_id, method, rule_id, currency, status,
    min(gateway), ${SUMS}
  FROM ${source} GROUP BY ${KEY}, hour_at ORDER BY merchant_id, mode, hour_at`;
}

/** Fills an empty table of sums by day from those by hour: Lagos's days begin at full hours. */
export function makeDaysOfHours(): string {
  return `INSERT INTO payment_day (merchant_id, mode, day, ${COLUMNS})
  SELECT merchant_id, mode, (hour_at AT TIME ZONE '${DAY_ZONE}')::date AS day, account_id, method, rule_id, currency, status,
    min(gateway), ${SUMS}
  FROM payment_hour GROUP BY ${KEY}, day ORDER BY merchant_id, mode, day`;
}

/** Adds the rows of `source`, shaped as notes of attempts, to the sums by hour. */
export function addAttemptsFrom(source: string): string {
  return `
hours AS (
  INSERT INTO attempt_hour AS r (merchant_id, hour_at, account_id, gateway, result, latency_step, attempts)
  SELECT merchant_id, date_trunc('hour', created_at, 'UTC') AS hour_at, account_id, min(gateway), result, latency_step, sum(attempts)
  FROM ${source} GROUP BY merchant_id, hour_at, account_id, result, latency_step
  ON CONFLICT (merchant_id, hour_at, account_id, result, latency_step) DO UPDATE SET attempts = r.attempts + excluded.attempts)`;
}

const take = (table: string, id: string) => `
WITH free AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${COUNTING_LOCK}) AS held),
taken AS (
  DELETE FROM ${table} WHERE ${id} IN (SELECT ${id} FROM ${table} WHERE (SELECT held FROM free) LIMIT $1) RETURNING *)`;

const COUNT_PAYMENTS = `${take('payment_note_to_count', 'note_id')}, ${addPaymentsFrom('taken')} SELECT count(*)::int AS taken FROM taken`;
const COUNT_ATTEMPTS = `${take('attempt_note_to_count', 'id')}, ${addAttemptsFrom('taken')} SELECT count(*)::int AS taken FROM taken`;

/**
 * Adds up to `limit` notes of each kind to the sums and takes them away, in one statement each: every note counts exactly once,
 * whatever dies meanwhile. Returns how many were counted; 0 too while somebody else is counting.
 */
export async function countNotes(database: Database, limit: number): Promise<number> {
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
