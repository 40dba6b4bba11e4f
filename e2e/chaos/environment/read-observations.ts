import { z } from 'zod';
import { type Observations, rowSchemas } from '../checker/observations.ts';
import type { Records } from './records.ts';

/** How each kind of row is read; the columns become the fields of its schema. */
const STATEMENTS: Readonly<Record<keyof typeof rowSchemas, string>> = {
  payments: `SELECT merchant_id, id AS payment_id, merchant_order_id, status, amount, currency, gateway_reference, status_event_id,
    version, review IS NOT NULL AS under_review, refunded_amount AS refunded, extract(epoch FROM expires_at) * 1000 AS expires_at
    FROM payment ORDER BY id`,
  attempts: `SELECT merchant_id, payment_id, id AS attempt_id, account_id, gateway, reference, state
    FROM attempt ORDER BY payment_id, position`,
  committed: `SELECT reference, account_id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at
    FROM chaos.attempt_made`,
  moves: `SELECT payment_id, from_status AS "from", to_status AS "to", from_version, to_version,
    extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at FROM chaos.payment_moved ORDER BY n`,
  timeline: `SELECT payment_id, id AS event_id, type, from_status AS "from", to_status AS "to", detail->>'reference' AS reference
    FROM timeline_event ORDER BY created_at, id`,
  duplicateCharges: `SELECT merchant_id, payment_id, account_id, reference, transaction_id, amount, currency, state
    FROM duplicate_charge`,
  refunds: `SELECT merchant_id, id AS refund_id, payment_id, account_id, amount, state, duplicate
    FROM refund ORDER BY created_at, id`,
  events: 'SELECT merchant_id, id AS event_id, payment_id, position, type, body FROM merchant_event ORDER BY position',
  endpoints: 'SELECT merchant_id, id AS endpoint_id, enabled FROM webhook_endpoint',
  deliveryRows: 'SELECT endpoint_id, event_id, state FROM webhook_delivery',
  leftJobs: `SELECT task.identifier AS task, job.attempts, job.last_error
    FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
    WHERE job.attempts >= job.max_attempts AND NOT EXISTS (
      SELECT FROM graphile_worker._private_jobs AS other WHERE other.task_id = task.id AND other.key = task.identifier)`,
};

/** Reads our database's observations of a run. */
export async function readDatabase(records: Records): Promise<Pick<Observations, keyof typeof rowSchemas>> {
  const read = async <T>(name: keyof typeof rowSchemas, schema: z.ZodType<T>): Promise<T[]> =>
    z.array(schema).parse((await records.query(STATEMENTS[name])).map(inCamelCase));
  return {
    payments: await read('payments', rowSchemas.payments),
    attempts: await read('attempts', rowSchemas.attempts),
    committed: await read('committed', rowSchemas.committed),
    moves: await read('moves', rowSchemas.moves),
    timeline: await read('timeline', rowSchemas.timeline),
    duplicateCharges: await read('duplicateCharges', rowSchemas.duplicateCharges),
    refunds: await read('refunds', rowSchemas.refunds),
    events: await read('events', rowSchemas.events),
    endpoints: await read('endpoints', rowSchemas.endpoints),
    deliveryRows: await read('deliveryRows', rowSchemas.deliveryRows),
    leftJobs: await read('leftJobs', rowSchemas.leftJobs),
  };
}

function inCamelCase(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const name = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [name(column), value]));
}
