import pg from 'pg';
import { addAttemptsFrom, addPaymentsFrom, COUNTING_LOCK, makeDaysOfHours, makeHoursFrom } from './count-notes.ts';
import { DAY_ZONE, makeTotalsOfHours, totalsOf } from './totals.ts';

/**
 * What every payment adds to the sums. Says in one join what the trigger says of one payment at a time, so that each holds the other
 * to it, and in a fraction of the time.
 */
const PAYMENTS = `(
  SELECT p.merchant_id, p.mode, p.created_at, p.currency, p.status, 1 AS payments, p.amount, p.refunded_amount AS refunded,
    COALESCE(a.account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id, COALESCE(a.gateway, '') AS gateway,
    COALESCE(p.paid_method, p.payment_method, '') AS method, COALESCE(p.rule_id, '') AS rule_id, p.late::int AS late,
    CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(p.fee_amount, 0) ELSE 0 END AS fees
  FROM payment AS p LEFT JOIN attempt AS a
    ON a.merchant_id = p.merchant_id AND a.id = COALESCE(p.paid_attempt_id, p.current_attempt_id)
  WHERE p.status <> 'INITIATED') AS raw`;
const ATTEMPTS = `(
  SELECT merchant_id, created_at, account_id, gateway, COALESCE(failure_class, 'opened') AS result,
    latency_step(latency_ms) AS latency_step, 1 AS attempts
  FROM attempt WHERE latency_ms IS NOT NULL) AS raw`;

/**
 * Makes the sums anew from the payments and attempts themselves, in one snapshot: changes that commit meanwhile have left notes,
 * which are counted afterwards. Payments go on undisturbed. `tell` hears of each step as it begins.
 */
export async function rebuildSums(databaseUrl: string, tell: (step: string) => void = () => undefined): Promise<void> {
  await alone(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    tell('Taking the old sums away.');
    await client.query('DELETE FROM payment_note_to_count');
    await client.query('DELETE FROM attempt_note_to_count');
    for (const table of ['payment_hour', 'payment_day', 'payment_total', 'attempt_hour'])
      await client.query(`DELETE FROM ${table}`);
    tell('Adding up payments by hour.');
    await client.query(makeHoursFrom(PAYMENTS));
    tell('Adding up payments by day.');
    await client.query(makeDaysOfHours());
    tell('Adding up payments by account, and of all merchants.');
    await client.query(makeTotalsOfHours());
    tell('Adding up attempts by hour.');
    await client.query(`WITH ${addAttemptsFrom(ATTEMPTS)} SELECT 1`);
    await client.query('COMMIT');
  });
}

/** A sum that is not what the rows themselves come to. */
export interface WrongSum {
  readonly table: string;
  readonly merchantId: string;
  readonly period: string;
  /** The sum's key, with what was counted, or with what the rows come to. */
  readonly sum: string;
}

const differing = (table: string, period: string, counted: string, raw: string, keys: string) => `
WITH counted AS MATERIALIZED (SELECT ${keys}, ${counted} FROM ${table} GROUP BY ${keys}), raw_sums AS MATERIALIZED (${raw})
SELECT '${table}' AS table, merchant_id AS "merchantId", ${period}::text AS period, side || ' ' || to_jsonb(wrong) AS sum FROM (
  SELECT 'counted' AS side, * FROM (TABLE counted EXCEPT TABLE raw_sums) AS more
  UNION ALL SELECT 'in fact' AS side, * FROM (TABLE raw_sums EXCEPT TABLE counted) AS less) AS wrong
ORDER BY merchant_id, period, to_jsonb(wrong) LIMIT 100`;

const PAYMENT_SUMS = 'sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)';
const PAYMENT_KEYS = 'merchant_id, mode, account_id, method, rule_id, currency, status, gateway';
const TOTAL_KEYS = 'merchant_id, mode, step, begins_at, account_id, gateway, method, currency, status';

/**
 * Where the sums differ from what the rows themselves come to, in one snapshot; notes that wait to be counted are taken into
 * account. Empty when every sum is right, to the last unit. `tell` hears of each step as it begins.
 */
export async function findWrongSums(
  databaseUrl: string,
  tell: (step: string) => void = () => undefined,
): Promise<readonly WrongSum[]> {
  return alone(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query(`WITH taken AS (DELETE FROM payment_note_to_count RETURNING *), ${addPaymentsFrom('taken')} SELECT 1`);
    await client.query(`WITH taken AS (DELETE FROM attempt_note_to_count RETURNING *), ${addAttemptsFrom('taken')} SELECT 1`);
    for (const table of ['payment_hour', 'payment_day', 'payment_total']) {
      await client.query(`DELETE FROM ${table} WHERE payments = 0 AND amount = 0 AND fees = 0 AND refunded = 0 AND late = 0`);
    }
    await client.query('DELETE FROM attempt_hour WHERE attempts = 0');
    const wrong: WrongSum[] = [];
    for (const { about, text } of comparisons()) {
      tell(`Comparing ${about}.`);
      wrong.push(...(await client.query<WrongSum>(text)).rows);
    }
    await client.query('ROLLBACK');
    return wrong;
  });
}

function comparisons(): { readonly about: string; readonly text: string }[] {
  const hour = `date_trunc('hour', created_at, 'UTC')`;
  const day = `(hour_at AT TIME ZONE '${DAY_ZONE}')::date`;
  const sums = (from: string, period: string, name: string) =>
    `SELECT ${PAYMENT_KEYS}, ${period} AS ${name}, ${PAYMENT_SUMS} FROM ${from} GROUP BY ${PAYMENT_KEYS}, ${name}`;
  const attemptKeys = 'merchant_id, account_id, gateway, result, latency_step';
  const attempts = `SELECT ${attemptKeys}, ${hour} AS hour_at, count(*)::numeric FROM ${ATTEMPTS} GROUP BY ${attemptKeys}, hour_at`;
  const hours = sums(PAYMENTS, hour, 'hour_at');
  // From sums by hour, which have just been compared with the payments.
  const days = sums('payment_hour', day, 'day');
  return [
    {
      about: 'payments by hour',
      text: differing('payment_hour', 'hour_at', PAYMENT_SUMS, hours, `${PAYMENT_KEYS}, hour_at`),
    },
    { about: 'payments by day', text: differing('payment_day', 'day', PAYMENT_SUMS, days, `${PAYMENT_KEYS}, day`) },
    {
      about: 'payments by account, and of all merchants',
      text: differing('payment_total', 'begins_at', PAYMENT_SUMS, totalsOf('payment_hour', 'hour_at'), TOTAL_KEYS),
    },
    {
      about: 'attempts by hour',
      text: differing('attempt_hour', 'hour_at', 'sum(attempts)', attempts, `${attemptKeys}, hour_at`),
    },
  ];
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
