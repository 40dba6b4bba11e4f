import type { Database } from '@switchyard/db';
import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

/** Ready jobs of one task. */
interface QueuedTask {
  readonly task: string;
  readonly ready: number;
  readonly oldestSeconds: number;
  /** Out of retries. */
  readonly failed: number;
}

/** The health of an account that takes payments. */
interface AccountState {
  readonly gateway: string;
  readonly account: string;
  readonly mode: string;
  readonly state: string;
}

/** Work and decisions that wait, in all processes together. Counts end at a limit of 100,000; ages are in seconds, 0 for none. */
interface Backlog {
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
async function readBacklog({ pool }: Pick<Database, 'pool'>): Promise<Backlog> {
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

/** A scrape within this time of the last gets its reading again. */
const CACHED_MS = 5_000;

/**
 * Metrics of what waits in the database, read by a worker when it is scraped. Every worker reports the same figures, so queries take
 * their `max`. When they cannot be read there are none, rather than old ones.
 */
export function reportBacklog(registry: MetricsRegistry, database: Pick<Database, 'pool'>): void {
  const read = cached(() => readBacklog(database));
  const single = singleGauges(registry, read);
  single('switchyard_payment_checks_due', 'Payments that are due to be verified at their gateway.', 'checksDue');
  single('switchyard_payment_check_oldest_seconds', 'How long the most overdue payment check is due.', 'oldestCheckSeconds');
  single('switchyard_webhook_deliveries_due', 'Events that are due to be delivered to merchants.', 'deliveriesDue');
  single('switchyard_webhook_delivery_oldest_seconds', 'How long the most overdue delivery is due.', 'oldestDeliverySeconds');
  single('switchyard_rollup_changes_pending', 'Changes that are not in the roll-ups yet; reports add them up.', 'rollupChanges');
  single('switchyard_rollup_lag_seconds', 'How late the next update of the roll-ups is.', 'rollupSeconds');
  single('switchyard_payments_for_review', 'Payments that a person has to decide on.', 'reviews');
  single('switchyard_duplicate_charges_open', 'Duplicate charges that are not refunded yet.', 'duplicateCharges');
  single('switchyard_refunds_failed_unresolved', 'Failed refunds that nobody has resolved.', 'failedRefunds');
  single(
    'switchyard_reconciliation_oldest_seconds',
    'How long the oldest unfinished reconciliation was requested ago.',
    'reconciliationSeconds',
  );
  reportQueue(registry, read);
  reportAccounts(registry, read);
  new Gauge({
    name: 'switchyard_backlog_readable',
    help: '1 while the figures about the database can be read within a second each, otherwise 0.',
    registers: [registry],
    async collect() {
      this.set((await read()) === null ? 0 : 1);
    },
  });
}

type Read = () => Promise<Backlog | null>;
type Figure = { [Key in keyof Backlog]: Backlog[Key] extends number ? Key : never }[keyof Backlog];

function singleGauges(registry: MetricsRegistry, read: Read): (name: string, help: string, figure: Figure) => void {
  return (name, help, figure) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.remove();
        if (backlog !== null) this.set(backlog[figure]);
      },
    });
  };
}

function reportQueue(registry: MetricsRegistry, read: Read): void {
  const gauge = (name: string, help: string, figure: 'ready' | 'oldestSeconds' | 'failed') => {
    new Gauge({
      name,
      help,
      labelNames: ['task'],
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.reset();
        for (const one of backlog?.tasks ?? []) this.set({ task: one.task }, one[figure]);
      },
    });
  };
  gauge('switchyard_queue_ready_jobs', 'Jobs of the queue that are due and wait for a worker.', 'ready');
  gauge('switchyard_queue_oldest_seconds', 'How long the oldest waiting job of a task is due.', 'oldestSeconds');
  gauge('switchyard_queue_failed_jobs', 'Jobs that are out of retries.', 'failed');
}

function reportAccounts(registry: MetricsRegistry, read: Read): void {
  new Gauge({
    name: 'switchyard_gateway_account_health',
    help: 'The health state of each enabled gateway account, as a label; always 1. The oldest 500 accounts.',
    labelNames: ['gateway', 'account', 'mode', 'state'],
    registers: [registry],
    async collect() {
      const backlog = await read();
      this.reset();
      for (const { gateway, account, mode, state } of backlog?.accounts ?? []) this.set({ gateway, account, mode, state }, 1);
    },
  });
}

/** One reading for all gauges of a scrape, and for scrapes close together; null when it fails. */
export function cached<Reading>(readNow: () => Promise<Reading>): () => Promise<Reading | null> {
  let reading: Promise<Reading | null> | undefined;
  let until = 0;
  return () => {
    if (reading === undefined || performance.now() >= until) {
      until = performance.now() + CACHED_MS;
      reading = readNow().catch(() => null);
    }
    return reading;
  };
}
