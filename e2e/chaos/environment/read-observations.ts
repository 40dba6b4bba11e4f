import { z } from 'zod';
import type { Observations } from '../checker/observations.ts';
import type { Records } from './records.ts';

const status = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']);
/** Decimals come as text. */
const hundredths = z.coerce.number().transform((amount) => Math.round(amount * 100));
const whose = { merchantId: z.string(), paymentId: z.string() };

const rows = {
  payments: z.object({
    ...whose,
    merchantOrderId: z.string(),
    status,
    amount: hundredths,
    currency: z.string(),
    gatewayReference: z.string().nullable(),
    statusEventId: z.string(),
    version: z.int(),
    underReview: z.boolean(),
    refunded: hundredths,
    expiresAt: z.coerce.number(),
  }),
  attempts: z.object({
    ...whose,
    attemptId: z.string(),
    accountId: z.string(),
    gateway: z.string(),
    reference: z.string(),
    state: z.string(),
  }),
  committed: z.object({ reference: z.string(), accountId: z.string(), at: z.coerce.number() }),
  moves: z.object({
    paymentId: z.string(),
    from: status.nullable(),
    to: status,
    fromVersion: z.int(),
    toVersion: z.int(),
    at: z.coerce.number(),
  }),
  timeline: z.object({
    paymentId: z.string(),
    eventId: z.string(),
    type: z.string(),
    from: status.nullable(),
    to: status.nullable(),
    reference: z.string().nullable(),
  }),
  duplicateCharges: z.object({
    ...whose,
    accountId: z.string(),
    reference: z.string(),
    transactionId: z.string(),
    amount: hundredths,
    currency: z.string(),
    state: z.string(),
  }),
  refunds: z.object({
    ...whose,
    refundId: z.string(),
    accountId: z.string(),
    amount: hundredths,
    state: z.string(),
    duplicate: z.boolean(),
  }),
  events: z.object({
    merchantId: z.string(),
    eventId: z.string(),
    paymentId: z.string().nullable(),
    position: z.int(),
    type: z.string(),
    body: z.string(),
  }),
  endpoints: z.object({ merchantId: z.string(), endpointId: z.string(), enabled: z.boolean() }),
  deliveryRows: z.object({ endpointId: z.string(), eventId: z.string(), state: z.string() }),
  leftJobs: z.object({ task: z.string(), attempts: z.int(), lastError: z.string().nullable() }),
};

const STATEMENTS: Readonly<Record<keyof typeof rows, string>> = {
  payments: `SELECT merchant_id AS "merchantId", id AS "paymentId", merchant_order_id AS "merchantOrderId", status, amount, currency,
    gateway_reference AS "gatewayReference", status_event_id AS "statusEventId", version, review IS NOT NULL AS "underReview",
    refunded_amount AS refunded, extract(epoch FROM expires_at) * 1000 AS "expiresAt" FROM payment ORDER BY id`,
  attempts: `SELECT merchant_id AS "merchantId", payment_id AS "paymentId", id AS "attemptId", account_id AS "accountId", gateway,
    reference, state FROM attempt ORDER BY payment_id, position`,
  committed: `SELECT reference, account_id AS "accountId", extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at
    FROM chaos.attempt_made`,
  moves: `SELECT payment_id AS "paymentId", from_status AS "from", to_status AS "to", from_version AS "fromVersion",
    to_version AS "toVersion", extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at FROM chaos.payment_moved ORDER BY n`,
  timeline: `SELECT payment_id AS "paymentId", id AS "eventId", type, from_status AS "from", to_status AS "to",
    detail->>'reference' AS reference FROM timeline_event ORDER BY created_at, id`,
  duplicateCharges: `SELECT merchant_id AS "merchantId", payment_id AS "paymentId", account_id AS "accountId", reference,
    transaction_id AS "transactionId", amount, currency, state FROM duplicate_charge`,
  refunds: `SELECT merchant_id AS "merchantId", id AS "refundId", payment_id AS "paymentId", account_id AS "accountId", amount,
    state, duplicate FROM refund ORDER BY created_at, id`,
  events: `SELECT merchant_id AS "merchantId", id AS "eventId", payment_id AS "paymentId", position, type, body
    FROM merchant_event ORDER BY position`,
  endpoints: 'SELECT merchant_id AS "merchantId", id AS "endpointId", enabled FROM webhook_endpoint',
  deliveryRows: 'SELECT endpoint_id AS "endpointId", event_id AS "eventId", state FROM webhook_delivery',
  leftJobs: `SELECT task.identifier AS task, job.attempts, job.last_error AS "lastError"
    FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
    WHERE job.attempts >= job.max_attempts AND NOT EXISTS (
      SELECT FROM graphile_worker._private_jobs AS other WHERE other.task_id = task.id AND other.key = task.identifier)`,
};

type FromDatabase = Pick<Observations, keyof typeof rows>;

/** Reads our database's observations of a run. */
export async function readDatabase(records: Records): Promise<FromDatabase> {
  const read = async <T>(name: keyof typeof rows, schema: z.ZodType<T>): Promise<T[]> =>
    z.array(schema).parse(await records.query(STATEMENTS[name]));
  return {
    payments: await read('payments', rows.payments),
    attempts: await read('attempts', rows.attempts),
    committed: await read('committed', rows.committed),
    moves: await read('moves', rows.moves),
    timeline: await read('timeline', rows.timeline),
    duplicateCharges: await read('duplicateCharges', rows.duplicateCharges),
    refunds: await read('refunds', rows.refunds),
    events: await read('events', rows.events),
    endpoints: await read('endpoints', rows.endpoints),
    deliveryRows: await read('deliveryRows', rows.deliveryRows),
    leftJobs: await read('leftJobs', rows.leftJobs),
  };
}
