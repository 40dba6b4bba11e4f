import { readEventBody } from '@switchyard/webhooks/events/packed';
import { z } from 'zod';
import { type Rows, rowsSchema } from './observations.ts';

/** An event's row, whose record is packed. */
const storedEventSchema = z.looseObject({
  id: z.string(),
  paymentId: z.string().nullable(),
  packed: z.string(),
});

/**
 * Triggers that record inside the database, where no code of the product can omit it: every attempt, and every change of a
 * payment's status and version, each with its time.
 */
export const OBSERVATION_TRIGGERS = `
CREATE SCHEMA observed;
CREATE TABLE observed.attempt_made (reference text, account_id uuid, at timestamptz);
CREATE TABLE observed.payment_moved (
  n bigint GENERATED ALWAYS AS IDENTITY, payment_id uuid, from_status text, to_status text, from_version int, to_version int, at timestamptz);
CREATE FUNCTION observed.note_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO observed.attempt_made VALUES (NEW.reference, NEW.account_id, clock_timestamp()); RETURN NULL; END $$;
CREATE FUNCTION observed.note_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO observed.payment_moved (payment_id, from_status, to_status, from_version, to_version, at)
  VALUES (NEW.id, CASE TG_OP WHEN 'UPDATE' THEN OLD.status::text END, NEW.status::text,
    CASE TG_OP WHEN 'UPDATE' THEN OLD.version ELSE 0 END, NEW.version, clock_timestamp());
  RETURN NULL; END $$;
CREATE TRIGGER observed_attempt AFTER INSERT ON attempt FOR EACH ROW EXECUTE FUNCTION observed.note_attempt();
CREATE TRIGGER observed_begun AFTER INSERT ON payment FOR EACH ROW EXECUTE FUNCTION observed.note_move();
CREATE TRIGGER observed_moved AFTER UPDATE ON payment FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION observed.note_move()`;

/** The time of an observed row: that of its commit, where the server keeps it, or the one that the trigger noted. */
export type CommitTime = 'pg_xact_commit_timestamp(xmin)' | 'at';

/** How each kind of row is read, by its name; of the columns, those in its schema are used. */
function statementsOf(commitTime: CommitTime): Readonly<Record<keyof Rows, string>> {
  const committed = `extract(epoch FROM ${commitTime}) * 1000 AS at`;
  return {
    payments: 'SELECT *, id AS payment_id, review IS NOT NULL AS under_review FROM payment ORDER BY id',
    attempts: 'SELECT * FROM attempt ORDER BY payment_id, position',
    committed: `SELECT reference, account_id, ${committed} FROM observed.attempt_made`,
    moves: `SELECT payment_id, from_status AS "from", to_status AS "to", from_version, to_version, ${committed}
      FROM observed.payment_moved ORDER BY n`,
    timeline: `SELECT payment_id, id AS event_id, type, from_status AS "from", to_status AS "to", detail->>'reference' AS reference, created_at AS at
      FROM timeline_event
      UNION ALL SELECT id, id, 'payment.initiated', NULL, 'INITIATED', NULL, created_at FROM payment WHERE NOT EXISTS (
        SELECT FROM timeline_event AS stored WHERE stored.merchant_id = payment.merchant_id AND stored.payment_id = payment.id
          AND stored.type = 'payment.initiated')
      UNION ALL SELECT payment_id, id, 'payment.pending', 'INITIATED', 'PENDING', reference, opened_at FROM attempt WHERE opened_at IS NOT NULL
      ORDER BY at, event_id`,
    duplicateCharges: 'SELECT * FROM duplicate_charge ORDER BY id',
    refunds: 'SELECT *, id AS refund_id FROM refund ORDER BY created_at, id',
    events: "SELECT *, id AS event_id, encode(packed_body, 'base64') AS packed FROM merchant_event ORDER BY position, id",
    endpoints: 'SELECT *, id AS endpoint_id FROM webhook_endpoint ORDER BY id',
    deliveryRows: 'SELECT * FROM webhook_delivery ORDER BY endpoint_id, event_id',
    disputes: 'SELECT * FROM dispute ORDER BY created_at, id',
    discrepancies: `SELECT account_id, day::text AS day, kind, state, payment_id, reference
      FROM reconciliation_discrepancy ORDER BY created_at, id`,
    settlementDiscrepancies: 'SELECT * FROM settlement_discrepancy ORDER BY created_at, id',
    comparisons: `SELECT account_id, day::text AS day, compared_at FROM reconciliation_run
      WHERE compared_at IS NOT NULL ORDER BY compared_at, id`,
    // One that is replaced while it runs loses its key and its further tries. Every job of check-attempt had a key.
    leftJobs: `SELECT task.identifier AS task, job.attempts, job.last_error
      FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
      WHERE job.attempts >= job.max_attempts AND (job.key IS NOT NULL OR job.last_error IS NOT NULL)
        AND (job.key IS NOT NULL OR task.identifier <> 'check-attempt') AND NOT EXISTS (
        SELECT FROM graphile_worker._private_jobs AS other WHERE other.task_id = task.id AND other.key = task.identifier)`,
    storedWebhooks: 'SELECT account_id, sum(deliveries)::int AS stored FROM gateway_webhook GROUP BY 1 ORDER BY 1',
  };
}

/** Reads our database's observations of a run. */
export async function readRows(
  rowsOf: (statement: string) => Promise<readonly unknown[]>,
  commitTime: CommitTime,
): Promise<Rows> {
  const rows: Record<string, unknown> = {};
  for (const [name, statement] of Object.entries(statementsOf(commitTime))) {
    rows[name] = (await rowsOf(statement)).map(inCamelCase);
  }
  const stored = z.array(storedEventSchema).parse(rows.events);
  rows.events = stored.map(({ packed, ...event }) => {
    return { ...event, body: readEventBody({ ...event, packedBody: Buffer.from(packed, 'base64') }) };
  });
  return rowsSchema.parse(rows);
}

function inCamelCase(row: unknown): Record<string, unknown> {
  const name = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const columns = Object.entries(typeof row === 'object' && row !== null ? row : {});
  return Object.fromEntries(columns.map(([column, value]) => [name(column), value]));
}
