import { type Rows, rowsSchema } from '../checker/observations.ts';
import type { Records } from './records.ts';

/** How each kind of row is read; of the columns, those in its schema are used. */
const STATEMENTS: Readonly<Record<keyof Rows, string>> = {
  payments: 'SELECT *, id AS payment_id, review IS NOT NULL AS under_review FROM payment ORDER BY id',
  attempts: 'SELECT * FROM attempt ORDER BY payment_id, position',
  committed: 'SELECT *, extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at FROM chaos.attempt_made',
  moves: `SELECT *, from_status AS "from", to_status AS "to", extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at
    FROM chaos.payment_moved ORDER BY n`,
  timeline: `SELECT *, id AS event_id, from_status AS "from", to_status AS "to", detail->>'reference' AS reference
    FROM timeline_event ORDER BY created_at, id`,
  duplicateCharges: 'SELECT * FROM duplicate_charge',
  refunds: 'SELECT *, id AS refund_id FROM refund ORDER BY created_at, id',
  events: 'SELECT *, id AS event_id FROM merchant_event ORDER BY position',
  endpoints: 'SELECT *, id AS endpoint_id FROM webhook_endpoint',
  deliveryRows: 'SELECT * FROM webhook_delivery',
  leftJobs: `SELECT task.identifier AS task, job.attempts, job.last_error
    FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
    WHERE job.attempts >= job.max_attempts AND NOT EXISTS (
      SELECT FROM graphile_worker._private_jobs AS other WHERE other.task_id = task.id AND other.key = task.identifier)`,
};

/** Reads our database's observations of a run. */
export async function readDatabase(records: Records): Promise<Rows> {
  const rows: Record<string, unknown> = {};
  for (const [name, statement] of Object.entries(STATEMENTS)) rows[name] = (await records.query(statement)).map(inCamelCase);
  return rowsSchema.parse(rows);
}

function inCamelCase(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const name = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [name(column), value]));
}
