import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@switchyard/db/process';
import { z } from 'zod';
import { type GatewayName, PAIR } from '../../harness/gateways.ts';

/** Where a customer could pay. */
export interface OpenCheckout {
  readonly gateway: GatewayName;
  readonly reference: string;
}

/** Our database, read from outside the product. */
export interface Records {
  /** Runs a statement, and retries while the database is unavailable. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  checkoutsOf(paymentId: string): Promise<OpenCheckout[]>;
  /** Counts, by kind, items that are due, or with `any` all that are open. */
  unfinished(now: number, which: 'due' | 'any'): Promise<Readonly<Record<string, number>>>;
  /** Ages rows that go by the database's clock: the queue, payments being initiated, and refunds whose call has ended. */
  age(milliseconds: number): Promise<void>;
  /** How many refunds without a gateway's answer have been sent so lately that their call may not have ended. */
  countRefundCalls(): Promise<number>;
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Observations inside the database, which no code of the product can forget to call: when each attempt was committed, and every
 * change of a payment's status and version.
 */
const OBSERVATION_TRIGGERS = `
CREATE SCHEMA chaos;
CREATE TABLE chaos.attempt_made (reference text, account_id uuid);
CREATE TABLE chaos.payment_moved (
  n bigint GENERATED ALWAYS AS IDENTITY, payment_id uuid, from_status text, to_status text, from_version int, to_version int);
CREATE FUNCTION chaos.note_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO chaos.attempt_made VALUES (NEW.reference, NEW.account_id); RETURN NULL; END $$;
CREATE FUNCTION chaos.note_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO chaos.payment_moved (payment_id, from_status, to_status, from_version, to_version)
  VALUES (NEW.id, CASE TG_OP WHEN 'UPDATE' THEN OLD.status::text END, NEW.status::text,
    CASE TG_OP WHEN 'UPDATE' THEN OLD.version ELSE 0 END, NEW.version);
  RETURN NULL; END $$;
CREATE TRIGGER chaos_attempt AFTER INSERT ON attempt FOR EACH ROW EXECUTE FUNCTION chaos.note_attempt();
CREATE TRIGGER chaos_begun AFTER INSERT ON payment FOR EACH ROW EXECUTE FUNCTION chaos.note_move();
CREATE TRIGGER chaos_moved AFTER UPDATE ON payment FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION chaos.note_move()`;

/** What is due at a time, or with $2 all that is left. Recurring work, whose key is its name, is always in the queue. */
const UNFINISHED = `
SELECT (SELECT count(*) FROM payment LEFT JOIN payment_check AS due ON due.merchant_id = payment.merchant_id AND payment_id = id
    WHERE next_check_at <= CASE WHEN initiating THEN now() ELSE $1::timestamptz END
      OR ($2 AND (status = 'INITIATED' OR (status = 'PENDING' AND review IS NULL))))::int AS payments,
  (SELECT count(*) FROM refund WHERE state IN ('REQUESTED', 'PROCESSING') AND ($2 OR next_check_at <= $1))::int AS refunds,
  (SELECT count(*) FROM webhook_delivery WHERE state = 'PENDING' AND ($2 OR next_attempt_at <= $1))::int AS deliveries,
  (SELECT count(*) FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = task_id
    WHERE key IS DISTINCT FROM identifier AND attempts < max_attempts AND ($2 OR run_at <= now()))::int AS jobs`;

/** Longer than a call that sends a refund takes. */
const REFUND_CALL = `interval '20 seconds'`;

/**
 * What goes by the database's clock. Locked jobs are aged only if their worker has been silent for longer than while it lives, and
 * refunds only when their call has ended.
 */
const AGE = [
  'UPDATE payment_check SET next_check_at = next_check_at - $1::interval WHERE initiating',
  `UPDATE refund SET sent_at = sent_at - $1::interval WHERE sent_at < now() - ${REFUND_CALL}`,
  'UPDATE graphile_worker._private_jobs SET run_at = run_at - $1::interval WHERE locked_at IS NULL',
  `WITH gone AS (
     UPDATE job_pool SET seen_at = seen_at - $1::interval WHERE seen_at < now() - interval '8 seconds' RETURNING pool_id)
   UPDATE graphile_worker._private_jobs SET locked_at = locked_at - $1::interval
   WHERE locked_by IN (SELECT pool_id FROM gone) OR (locked_by IS NOT NULL AND locked_by NOT IN (SELECT pool_id FROM job_pool))`,
] as const;

const REFUND_CALLS = `
SELECT count(*)::int AS calls FROM refund
WHERE state = 'PROCESSING' AND gateway_refund_id IS NULL AND sent_at >= now() - ${REFUND_CALL}`;

const TRIES_MAX = 200;
const RETRY_DELAY_MS = 100;

const checkoutSchema = z.object({ gateway: z.enum(PAIR), reference: z.string() });
const countsSchema = z.record(z.string(), z.int());

export async function openRecords(url: string): Promise<Records> {
  const database = openDatabase({ url, maxConnections: 6 });
  await database.pool.query(OBSERVATION_TRIGGERS);

  async function query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    for (let n = 0; ; n += 1) {
      try {
        return (await database.pool.query<Record<string, unknown>>(text, [...values])).rows;
      } catch (error) {
        if (n >= TRIES_MAX || (error instanceof Error && 'code' in error && /^(22|23|42)/.test(String(error.code)))) throw error;
        await pause(RETRY_DELAY_MS);
      }
    }
  }

  return {
    query,
    async checkoutsOf(paymentId) {
      const rows = await query('SELECT gateway, reference FROM attempt WHERE payment_id = $1 ORDER BY position', [paymentId]);
      return rows.map((row) => checkoutSchema.parse(row));
    },
    async unfinished(now, which) {
      const [row] = await query(UNFINISHED, [new Date(now), which === 'any']);
      return countsSchema.parse(row);
    },
    async age(milliseconds) {
      for (const text of AGE) await query(text, [`${milliseconds} milliseconds`]);
    },
    async countRefundCalls() {
      const [row] = await query(REFUND_CALLS);
      return countsSchema.parse(row).calls ?? 0;
    },
    async cutConnections() {
      await query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'switchyard' AND pid <> pg_backend_pid()",
      );
    },
    close: () => database.close(),
  };
}
