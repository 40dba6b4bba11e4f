import type { Database } from '@switchyard/db';
import pg from 'pg';
import {
  addToRollups,
  fillRollups,
  ROLLUP_KEY,
  ROLLUP_KINDS,
  ROLLUP_MEASURES,
  type RollupKind,
  rollupsOfKind,
  rowsOfKind,
} from './payment-rollups.ts';

const BATCH = 5_000;
const ROUNDS_MAX = 20;

/** Applies pending change records to the roll-ups; returns how many. */
export async function updateRollups({ resources }: { readonly resources: { readonly database: Database } }): Promise<number> {
  let applied = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const batch = await applyRollupChanges(resources.database, BATCH);
    applied += batch;
    if (batch < BATCH) break;
  }
  return applied;
}

/** Advisory lock: one process applies change records at a time. */
const ROLLUP_LOCK = 7_240_117;

/** Adds the rows of `source`, shaped as change records of attempts, to the hourly roll-ups. */
function addAttemptsFrom(source: string): string {
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

const ATTEMPTS = `(
  SELECT merchant_id, created_at, account_id, gateway, COALESCE(failure_class, 'opened') AS result,
    latency_bucket(latency_ms) AS latency_bucket, 1 AS attempts
  FROM attempt WHERE latency_ms IS NOT NULL) AS raw`;
const ATTEMPT_KEY = 'merchant_id, begins_at, account_id, gateway, result, latency_bucket';
const WRONG_MAX = 100;

/**
 * Rebuilds the roll-ups from payments and attempts in one snapshot. Changes that commit meanwhile leave change records, which are
 * applied afterwards; payments continue. `report` is called with each step as it begins.
 */
export async function rebuildRollups(databaseUrl: string, report: (step: string) => void = () => undefined): Promise<void> {
  await withRollupLock(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    report('Deleting the old roll-ups.');
    await client.query('DELETE FROM payment_rollup_change');
    await client.query('DELETE FROM attempt_rollup_change');
    for (const table of ['payment_rollup', 'attempt_rollup']) await client.query(`DELETE FROM ${table}`);
    for (const kind of ROLLUP_KINDS) {
      report(`Adding up payments ${nameOf(kind)}.`);
      await client.query(fillRollups(kind));
    }
    report('Adding up attempts by hour.');
    await client.query(`WITH ${addAttemptsFrom(ATTEMPTS)} SELECT 1`);
    await client.query('COMMIT');
    report('Analysing the tables.');
    await client.query('ANALYZE payment_rollup, attempt_rollup');
  });
}

/** A roll-up that differs from the rows it is computed from. */
export interface WrongRollup {
  readonly table: string;
  readonly merchantId: string;
  readonly period: string;
  /** The roll-up's key and its excess over the rows; or a payment whose account is not its attempt's. */
  readonly sum: string;
}

/** Roll-ups use the account of the payment, which must be its attempt's. */
const WRONG_ACCOUNTS = `
SELECT 'payment' AS table, p.merchant_id AS "merchantId", p.created_at::text AS period,
  jsonb_build_object('payment_id', p.id, 'account_id', p.account_id, 'account_of_attempt', a.account_id)::text AS sum
FROM payment AS p LEFT JOIN attempt AS a ON a.merchant_id = p.merchant_id AND a.id = COALESCE(p.paid_attempt_id, p.current_attempt_id)
WHERE (p.account_id, p.account_gateway) IS DISTINCT FROM (a.account_id, a.gateway)
ORDER BY p.merchant_id, p.created_at LIMIT ${WRONG_MAX}`;

/** Subtracts the sums of the rows from the roll-ups: correct ones leave no row. */
function differing(table: string, key: string, numbers: readonly string[], counted: string, rows: string): string {
  const columns = `${key}, ${numbers.join(', ')}`;
  // Summed first: Citus would sum rows of several merchants that have no merchant in their key on each node by itself.
  const away = `SELECT ${key}, ${numbers.map((name) => `-sum(${name}) AS ${name}`).join(', ')} FROM (${rows}) AS rows GROUP BY ${key}`;
  const left = numbers.map((name) => `sum(${name}) AS ${name}`).join(', ');
  return `SELECT '${table}' AS table, merchant_id AS "merchantId", begins_at::text AS period, to_jsonb(wrong)::text AS sum FROM (
  SELECT ${key}, ${left} FROM (SELECT ${columns} FROM ${counted} UNION ALL ${away}) AS both_sides
  GROUP BY ${key} HAVING ${numbers.map((name) => `sum(${name}) <> 0`).join(' OR ')}) AS wrong
ORDER BY merchant_id, begins_at, sum LIMIT ${WRONG_MAX}`;
}

/**
 * Roll-ups that differ from the rows they are computed from, in one snapshot that includes pending change records. Empty when every
 * one is exact. `report` is called with each step as it begins.
 */
export async function findWrongRollups(
  databaseUrl: string,
  report: (step: string) => void = () => undefined,
): Promise<readonly WrongRollup[]> {
  return withRollupLock(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query(
      `WITH taken AS (DELETE FROM payment_rollup_change RETURNING *), rollups AS (${addToRollups('taken')}) SELECT 1`,
    );
    await client.query(`WITH taken AS (DELETE FROM attempt_rollup_change RETURNING *), ${addAttemptsFrom('taken')} SELECT 1`);
    const wrong: WrongRollup[] = [];
    for (const { about, text } of comparisonsOfRollups()) {
      report(`Comparing ${about}.`);
      wrong.push(...(await client.query<WrongRollup>(text)).rows);
    }
    await client.query('ROLLBACK');
    return wrong;
  });
}

function comparisonsOfRollups(): { readonly about: string; readonly text: string }[] {
  const attempts = `SELECT *, date_trunc('hour', created_at, 'UTC') AS begins_at FROM ${ATTEMPTS}`;
  const counted = '(SELECT *, hour_at AS begins_at FROM attempt_rollup) AS rollups';
  return [
    { about: 'accounts of payments with those of their attempts', text: WRONG_ACCOUNTS },
    // Each with the kind it is computed from, which was compared before.
    ...ROLLUP_KINDS.map((kind) => ({
      about: `payments ${nameOf(kind)}`,
      text: differing('payment_rollup', ROLLUP_KEY, ROLLUP_MEASURES, rollupsOfKind(kind), rowsOfKind(kind)),
    })),
    { about: 'attempts by hour', text: differing('attempt_rollup', ATTEMPT_KEY, ['attempts'], counted, attempts) },
  ];
}

function nameOf({ detail, step }: RollupKind): string {
  const suffix = { rules: '', accounts: ', by account', all_merchants: ', of all merchants' }[detail];
  return `by ${step}${suffix}`;
}

/** Sorting on disk takes several times as long, and only one process rebuilds at a time. */
const CONNECTION_OPTIONS = '-c work_mem=128MB -c jit=off';

/** Runs work on its own connection without timeouts, while no process applies change records. */
async function withRollupLock<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'switchyard roll-ups',
    options: CONNECTION_OPTIONS,
  });
  await client.connect();
  try {
    // Locked before the snapshot is taken, which then includes all applied change records.
    await client.query('SELECT pg_advisory_lock($1)', [ROLLUP_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}
