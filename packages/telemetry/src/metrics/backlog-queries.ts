import type { Database } from '@switchyard/db';

/** Ready jobs of one task. */
export interface QueuedTask {
  readonly task: string;
  readonly ready: number;
  readonly oldestSeconds: number;
  /** Out of retries. */
  readonly failed: number;
}

/** The health of an account that takes payments. */
export interface AccountState {
  readonly gateway: string;
  readonly account: string;
  readonly mode: string;
  readonly state: string;
}

/** Work and decisions that wait, in all processes together. Counts end at a limit of 100,000; ages are in seconds, 0 for none. */
export interface Backlog {
  readonly tasks: readonly QueuedTask[];
  readonly accounts: readonly AccountState[];
  readonly checksDue: number;
  readonly oldestCheckSeconds: number;
  readonly deliveriesDue: number;
  readonly oldestDeliverySeconds: number;
  readonly rollupChanges: number;
  readonly rollupSeconds: number;
  readonly reviews: number;
  readonly duplicateCharges: number;
  readonly failedRefunds: number;
  readonly reconciliationSeconds: number;
}

const STATEMENT_TIMEOUT_MS = 1_000;
const COUNT_MAX = 100_000;
/** Most accounts with a series each; the oldest, so that a series does not come and go. */
const ACCOUNTS_MAX = 500;

// A job whose process died while a later one of its key was added has used up its attempts, without an error and its key: the later one does it.
const TASKS = `
SELECT task_identifier AS task,
  count(*) FILTER (WHERE attempts < max_attempts)::int AS ready,
  coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE attempts < max_attempts)), 0)::float8 AS "oldestSeconds",
  count(*) FILTER (WHERE attempts >= max_attempts AND (key IS NOT NULL OR last_error IS NOT NULL))::int AS failed
FROM graphile_worker.jobs WHERE run_at <= now() AND locked_at IS NULL GROUP BY task_identifier`;

const ACCOUNTS = `
SELECT a.gateway, a.id AS account, a.mode::text AS mode,
  CASE WHEN a.configuration_fault IS NOT NULL THEN 'misconfigured' ELSE coalesce(h.state, 'healthy') END AS state
FROM gateway_account AS a
LEFT JOIN health_status AS h ON h.merchant_id = a.merchant_id AND h.account_id = a.id AND h.method = '*'
WHERE a.enabled ORDER BY a.created_at, a.id LIMIT ${ACCOUNTS_MAX}`;

const limited = (from: string) => `(SELECT count(*)::int FROM (SELECT 1 FROM ${from} LIMIT ${COUNT_MAX}) AS counted)`;

// An event that waits for an earlier one of its payment is not due, whatever its time says.
const DELIVERY_DUE = `
due_delivery AS due JOIN webhook_delivery AS d ON d.merchant_id = due.merchant_id AND d.id = due.delivery_id
JOIN webhook_endpoint AS e ON e.merchant_id = due.merchant_id AND e.id = due.endpoint_id AND e.enabled
WHERE due.due_at <= now() AND d.state = 'PENDING' AND d.next_attempt_at <= now()
  AND (d.payment_id IS NULL OR NOT EXISTS (SELECT FROM webhook_delivery AS earlier
    WHERE earlier.merchant_id = d.merchant_id AND (earlier.endpoint_id = d.endpoint_id) IS TRUE AND earlier.payment_id = d.payment_id
      AND earlier.state = 'PENDING' AND (earlier.position, earlier.id) < (d.position, d.id)))`;

const age = (time: string) => `greatest(0, coalesce(extract(epoch FROM now() - min(${time})), 0))::float8`;

// Updating the roll-ups is one recurring job of all processes: how late it is, is how old the roll-ups are.
const COUNTS = `
SELECT
  ${limited('payment_check WHERE next_check_at <= now()')} AS "checksDue",
  (SELECT ${age('next_check_at')} FROM payment_check) AS "oldestCheckSeconds",
  ${limited(DELIVERY_DUE)} AS "deliveriesDue",
  (SELECT ${age('d.next_attempt_at')} FROM ${DELIVERY_DUE}) AS "oldestDeliverySeconds",
  ${limited('payment_rollup_change')} + ${limited('attempt_rollup_change')} AS "rollupChanges",
  (SELECT ${age('run_at')} FROM graphile_worker.jobs WHERE task_identifier = 'update-rollups') AS "rollupSeconds",
  ${limited("payment WHERE review = 'OPEN'")} AS reviews,
  ${limited("duplicate_charge WHERE state IN ('OPEN', 'REFUNDING')")} AS "duplicateCharges",
  ${limited("refund WHERE state = 'FAILED' AND NOT duplicate AND NOT mismatched AND resolved_at IS NULL")} AS "failedRefunds",
  (SELECT ${age('requested_at')} FROM reconciliation_run WHERE state IN ('QUEUED', 'RUNNING')) AS "reconciliationSeconds"`;

/** Reads what waits, in one read-only snapshot; each statement ends after a second. */
export async function readBacklog({ pool }: Pick<Database, 'pool'>): Promise<Backlog> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const tasks = await client.query<QueuedTask>(TASKS);
    const accounts = await client.query<AccountState>(ACCOUNTS);
    const counts = await client.query<Omit<Backlog, 'tasks' | 'accounts'>>(COUNTS);
    await client.query('COMMIT');
    const [row] = counts.rows;
    if (row === undefined) throw new Error('a count has no row');
    failed = false;
    return { tasks: tasks.rows, accounts: accounts.rows, ...row };
  } finally {
    // A connection whose transaction failed is not used again.
    client.release(failed);
  }
}
