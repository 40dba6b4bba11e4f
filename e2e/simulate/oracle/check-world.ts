import { z } from 'zod';
import { findViolations } from '../../chaos/checker/find-violations.ts';
import { type Observations, rowsSchema } from '../../chaos/checker/observations.ts';
import { type Violation, violation } from '../../chaos/checker/violation.ts';
import type { WorldRun } from '../run-world.ts';
import { findWrongRollups, ROLLUP_STATEMENTS } from './check-rollups.ts';

const PLAIN_STATEMENTS = {
  payments: 'SELECT *, id AS payment_id, review IS NOT NULL AS under_review FROM payment ORDER BY id',
  attempts: 'SELECT * FROM attempt ORDER BY payment_id, position',
  committed: 'SELECT reference, account_id, extract(epoch FROM at) * 1000 AS at FROM simulation.attempt_made',
  moves: `SELECT payment_id, from_status AS "from", to_status AS "to", from_version, to_version, extract(epoch FROM at) * 1000 AS at
    FROM simulation.payment_moved ORDER BY n`,
  timeline: `SELECT *, id AS event_id, from_status AS "from", to_status AS "to", detail->>'reference' AS reference
    FROM timeline_event ORDER BY created_at, id`,
  duplicateCharges: 'SELECT * FROM duplicate_charge ORDER BY id',
  refunds: 'SELECT *, id AS refund_id FROM refund ORDER BY created_at, id',
  events: 'SELECT *, id AS event_id FROM merchant_event ORDER BY position, id',
  endpoints: 'SELECT *, id AS endpoint_id FROM webhook_endpoint ORDER BY id',
  deliveryRows: 'SELECT * FROM webhook_delivery ORDER BY endpoint_id, event_id',
  leftJobs: `SELECT task.identifier AS task, job.attempts, job.last_error
    FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
    WHERE job.attempts >= job.max_attempts AND NOT EXISTS (
      SELECT FROM graphile_worker._private_jobs AS other WHERE other.task_id = task.id AND other.key = task.identifier)`,
} as const;

const WEBHOOK_STATEMENTS = {
  webhooks: 'SELECT account_id, sum(deliveries)::int AS stored FROM gateway_webhook GROUP BY 1 ORDER BY 1',
} as const;
const storedSchema = z.array(z.object({ account_id: z.string(), stored: z.int() }));

/** What is read of our database at a world's end. */
export const STATEMENTS: Readonly<Record<string, string>> = {
  ...PLAIN_STATEMENTS,
  ...ROLLUP_STATEMENTS,
  ...WEBHOOK_STATEMENTS,
};

/** Checks what a world did against the invariants and the gateways' own records. */
export function checkWorld(run: WorldRun): Violation[] {
  const { observations, rows, verified } = run;
  const read = rowsSchema.parse(
    Object.fromEntries(
      Object.keys(PLAIN_STATEMENTS).map((name) => [name, (rows[name] ?? []).map((row) => inCamelCase(row, name === 'payments'))]),
    ),
  );
  const all: Observations = { ...read, ...observations, wrongRollups: [] };
  const violations = findViolations(all);
  for (const what of findWrongRollups(rows)) violations.push(violation('report_sum_wrong', what));
  const stored = new Map(storedSchema.parse(rows.webhooks).map((row) => [row.account_id, row.stored]));
  for (const [account, count] of Object.entries(observations.acknowledged)) {
    const kept = stored.get(account) ?? 0;
    if (kept < count)
      violations.push(violation('webhook_lost', `account ${account}: ${count} were acknowledged, ${kept} are stored`));
  }
  for (const what of run.unhandled)
    violations.push(violation('process_ended', `a promise was rejected without a handler: ${what}`));
  for (const what of verified.decisions) violations.push(violation('decision_differs', what));
  for (const what of verified.chains) violations.push(violation('audit_chain_broken', what));
  for (const id of observations.openAfterSessions) {
    violations.push(
      violation('settled_late', `payment ${id} was open three quarters of an hour after every session had ended, without faults`),
    );
  }
  for (const reference of observations.unrecordedMoney) {
    violations.push(
      violation('settled_late', `money received under ${reference} was not on record two hours later, without faults`),
    );
  }
  if (observations.settledAfterMs === null)
    violations.push(violation('never_settled', 'work was left after five days without faults'));
  return violations;
}

function inCamelCase(row: unknown, isPayment: boolean): Record<string, unknown> {
  const name = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const entries = Object.entries(typeof row === 'object' && row !== null ? row : {});
  const named: Record<string, unknown> = Object.fromEntries(entries.map(([column, value]) => [name(column), value]));
  return isPayment ? { ...named, expiresAt: new Date(String(named.expiresAt)) } : named;
}
