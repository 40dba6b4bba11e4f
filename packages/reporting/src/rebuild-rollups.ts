import pg from 'pg';
import { addAttemptsFrom, COUNTING_LOCK } from './apply-rollup-changes.ts';
import {
  addToRollups,
  fillSums,
  rowsOfKind,
  SUM_KEY,
  SUM_KINDS,
  SUM_NUMBERS,
  type SumKind,
  sumsOfKind,
} from './payment-rollups.ts';

const ATTEMPTS = `(
  SELECT merchant_id, created_at, account_id, gateway, COALESCE(failure_class, 'opened') AS result,
    latency_bucket(latency_ms) AS latency_bucket, 1 AS attempts
  FROM attempt WHERE latency_ms IS NOT NULL) AS raw`;
const ATTEMPT_KEY = 'merchant_id, begins_at, account_id, gateway, result, latency_bucket';
const WRONG_MAX = 100;

/**
 * Makes the sums anew from the payments and attempts themselves, in one snapshot: changes that commit meanwhile have left notes,
 * which are counted afterwards. Payments go on undisturbed. `tell` hears of each step as it begins.
 */
export async function rebuildRollups(databaseUrl: string, tell: (step: string) => void = () => undefined): Promise<void> {
  await alone(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    tell('Taking the old sums away.');
    await client.query('DELETE FROM payment_rollup_change');
    await client.query('DELETE FROM attempt_rollup_change');
    for (const table of ['payment_rollup', 'attempt_rollup']) await client.query(`DELETE FROM ${table}`);
    for (const kind of SUM_KINDS) {
      tell(`Adding up payments ${nameOf(kind)}.`);
      await client.query(fillSums(kind));
    }
    tell('Adding up attempts by hour.');
    await client.query(`WITH ${addAttemptsFrom(ATTEMPTS)} SELECT 1`);
    await client.query('COMMIT');
    tell('Telling the planner what they are like.');
    await client.query('ANALYZE payment_rollup, attempt_rollup');
  });
}

/** A sum that is not what the rows themselves come to, or would not be. */
export interface WrongRollup {
  readonly table: string;
  readonly merchantId: string;
  readonly period: string;
  /** The sum's key, and how much more was counted than the rows come to; or a payment that names another account than its attempt's. */
  readonly sum: string;
}

/** Sums go by the account that a payment names: it is to be its attempt's. */
const WRONG_ACCOUNTS = `
SELECT 'payment' AS table, p.merchant_id AS "merchantId", p.created_at::text AS period,
  jsonb_build_object('payment_id', p.id, 'account_id', p.account_id, 'account_of_attempt', a.account_id)::text AS sum
FROM payment AS p LEFT JOIN attempt AS a ON a.merchant_id = p.merchant_id AND a.id = COALESCE(p.paid_attempt_id, p.current_attempt_id)
WHERE (p.account_id, p.account_gateway) IS DISTINCT FROM (a.account_id, a.gateway)
ORDER BY p.merchant_id, p.created_at LIMIT ${WRONG_MAX}`;

/** Adds up what was counted and takes away what the rows come to: nothing is left of sums that are right. */
function differing(table: string, key: string, numbers: readonly string[], counted: string, rows: string): string {
  const columns = `${key}, ${numbers.join(', ')}`;
  const away = `${key}, ${numbers.map((name) => `-${name}`).join(', ')}`;
  const left = numbers.map((name) => `sum(${name}) AS ${name}`).join(', ');
  return `SELECT '${table}' AS table, merchant_id AS "merchantId", begins_at::text AS period, to_jsonb(wrong)::text AS sum FROM (
  SELECT ${key}, ${left} FROM (SELECT ${columns} FROM ${counted} UNION ALL SELECT ${away} FROM (${rows}) AS rows) AS both_sides
  GROUP BY ${key} HAVING ${numbers.map((name) => `sum(${name}) <> 0`).join(' OR ')}) AS wrong
ORDER BY merchant_id, begins_at, sum LIMIT ${WRONG_MAX}`;
}

/**
 * Where the sums differ from what the rows themselves come to, in one snapshot; notes that wait to be counted are taken into
 * account. Empty when every sum is right, to the last unit. `tell` hears of each step as it begins.
 */
export async function findWrongRollups(
  databaseUrl: string,
  tell: (step: string) => void = () => undefined,
): Promise<readonly WrongRollup[]> {
  return alone(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query(
      `WITH taken AS (DELETE FROM payment_rollup_change RETURNING *), sums AS (${addToRollups('taken')}) SELECT 1`,
    );
    await client.query(`WITH taken AS (DELETE FROM attempt_rollup_change RETURNING *), ${addAttemptsFrom('taken')} SELECT 1`);
    const wrong: WrongRollup[] = [];
    for (const { about, text } of comparisons()) {
      tell(`Comparing ${about}.`);
      wrong.push(...(await client.query<WrongRollup>(text)).rows);
    }
    await client.query('ROLLBACK');
    return wrong;
  });
}

function comparisons(): { readonly about: string; readonly text: string }[] {
  const attempts = `SELECT *, date_trunc('hour', created_at, 'UTC') AS begins_at FROM ${ATTEMPTS}`;
  const counted = '(SELECT *, hour_at AS begins_at FROM attempt_rollup) AS sums';
  return [
    { about: 'accounts of payments with those of their attempts', text: WRONG_ACCOUNTS },
    // Each with the kind that it is added up from, which has just been compared.
    ...SUM_KINDS.map((kind) => ({
      about: `payments ${nameOf(kind)}`,
      text: differing('payment_rollup', SUM_KEY, SUM_NUMBERS, sumsOfKind(kind), rowsOfKind(kind)),
    })),
    { about: 'attempts by hour', text: differing('attempt_rollup', ATTEMPT_KEY, ['attempts'], counted, attempts) },
  ];
}

function nameOf({ detail, step }: SumKind): string {
  const suffix = { rules: '', accounts: ', by account', all_merchants: ', of all merchants' }[detail];
  return `by ${step}${suffix}`;
}

/** Sorting on disk takes several times as long, and nobody else works like this at the same time. */
const ROOMY = '-c work_mem=128MB -c jit=off';

/** Runs work on a connection of its own, without limits of time, while nobody counts notes. */
async function alone<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'switchyard sums', options: ROOMY });
  await client.connect();
  try {
    // Held before the snapshot is taken: what somebody counted meanwhile is then in it.
    await client.query('SELECT pg_advisory_lock($1)', [COUNTING_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}
