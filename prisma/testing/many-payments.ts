import type { Database } from '@switchyard/db';
import { packEventBody } from '@switchyard/webhooks/events/packed';

/** A merchant's rows to write. */
export interface ManyPayments {
  readonly merchantId: string;
  readonly accountIds: readonly [string, string];
  readonly endpointIds: readonly [string, string];
  readonly count: number;
  /** They are spread evenly over the thirty days before. */
  readonly until: Date;
}

/** A UUIDv7 of a row's time, the same for the same number and kind of row. */
const idOf = (kind: string): string =>
  `overlay(overlay(md5(${kind} || merchant_id || n) PLACING lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' FROM 1)
    PLACING '8' FROM 17)::uuid`;

/** One payment in twenty failed and one in fifty is open; deliveries and webhooks that wait are of the last day. */
const DRAW = `
CREATE TEMP TABLE drawn AS
SELECT *, ${idOf("'payment'")} AS payment_id, ${idOf("'attempt'")} AS attempt_id, ${idOf("'event'")} AS event_id,
  (CASE WHEN n % 20 = 0 THEN 'FAILED' WHEN n % 50 = 1 THEN 'PENDING' WHEN n % 40 = 2 THEN 'REFUNDED' ELSE 'SUCCESS' END)::payment_status
    AS status
FROM (SELECT n, $1::uuid AS merchant_id, ($2::uuid[])[1 + (n % 3 = 0)::int] AS account_id, $3::uuid[] AS endpoint_ids,
  $4::timestamptz AS until, $4::timestamptz - (interval '30 days' * ($5::int - n)) / $5 AS at, n > $5::int * 29 / 30 AS is_new
  FROM generate_series(1, $5::int) AS n) AS numbered`;

/** The record of every event. */
const RECORD = `\\x${packEventBody({ id: '', paymentId: null }, '{}').toString('hex')}`;

const WRITE = [
  `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id, customer_phone,
     payment_method, routing_mode, smart_routing_bypassed, rule_set_version, rule_id, packed_decision, packed_session, recommended_gateway,
     current_attempt_id, account_id, account_gateway, expires_at, version, status_event_id, status_changed_at,
     failure_reason, review, reversed_at, paid_at, created_at, updated_at)
   SELECT merchant_id, payment_id, 'test', 'order-' || n, status, 100 + (n * 7919) % 90000, 'NGN', 'customer' || n % 3000 || '@example.com',
     'c-' || n % 3000, '+23480' || lpad((n % 3000 * 3331 % 100000000)::text, 8, '0'), 'CARD', 'smart', false, 1, 'cards', '', '',
     'paystack', attempt_id, account_id, 'paystack', at + interval '1 hour', 3, event_id, at,
     CASE WHEN status = 'FAILED' THEN (ARRAY['declined', 'session_expired', 'insufficient_funds'])[1 + n % 3] END,
     CASE WHEN n % 700 = 3 THEN 'OPEN'::review_state END, CASE WHEN n % 900 = 4 THEN at END,
     CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN at + interval '3 minutes' END, at, at FROM drawn`,
  `INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, failure_class, latency_ms,
     transaction_id, created_at, updated_at)
   SELECT merchant_id, attempt_id, payment_id, 0, account_id, 'paystack', 'sy' || replace(payment_id::text, '-', '') || '00',
     (CASE WHEN status = 'PENDING' THEN 'OPENED' WHEN n % 20 = 0 THEN 'REFUSED' ELSE 'PAID' END)::attempt_state,
     CASE WHEN n % 20 = 0 THEN 'provider_fault' END, 200, CASE WHEN n % 20 > 1 THEN '7' || n END, at, at FROM drawn`,
  `INSERT INTO timeline_event (merchant_id, id, payment_id, type, to_status, cause, detail, created_at)
   SELECT merchant_id, CASE kind WHEN 1 THEN event_id ELSE ${idOf("'begun'")} END, payment_id, 'payment.changed', status, 'api',
     CASE WHEN kind = 1 AND n % 20 > 1 THEN json_build_object('transactionId', '7' || n) ELSE '{}' END, at
   FROM drawn CROSS JOIN generate_series(1, 2) AS kind`,
  `INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
   SELECT merchant_id, payment_id, until, false FROM drawn WHERE status = 'PENDING'`,
  `INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, packed_body, created_at)
   SELECT merchant_id, event_id, 'test', payment_id, 3, 'payment.succeeded', '${RECORD}', at FROM drawn`,
  `INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts, next_attempt_at,
     resend_id, created_at, updated_at)
   SELECT merchant_id, ${idOf("'delivery' || place")}, endpoint, event_id, payment_id, 3, 'payment.succeeded',
     (CASE WHEN is_new AND n % 4 = 0 THEN 'PENDING' WHEN n % 90 = 5 THEN 'FAILED' ELSE 'DELIVERED' END)::delivery_state,
     CASE WHEN n % 60 = 6 THEN 5 ELSE 1 END, CASE WHEN is_new AND n % 4 = 0 THEN until END,
     CASE WHEN n % 80 = 7 THEN endpoint END, at, at FROM drawn, unnest(endpoint_ids) WITH ORDINALITY AS of (endpoint, place)`,
  `INSERT INTO due_delivery (merchant_id, endpoint_id, due_at, delivery_id)
   SELECT merchant_id, endpoint_id, next_attempt_at, id FROM webhook_delivery
   WHERE merchant_id IN (SELECT merchant_id FROM drawn) AND state = 'PENDING'`,
  `INSERT INTO webhook_resend (merchant_id, id, endpoint_id, mode, from_at, to_at, only_undelivered, total, queued, requested_by, created_at,
     updated_at, finished_at)
   SELECT DISTINCT merchant_id, endpoint, endpoint, 'test'::mode, until, until, true, 0, 0, 'staff:ada', until, until, until
   FROM drawn, unnest(endpoint_ids) AS endpoint`,
  `INSERT INTO gateway_webhook (merchant_id, id, account_id, gateway, dedupe_key, event, reference, state, received_at)
   SELECT merchant_id, ${idOf("'webhook'")}, account_id, 'paystack', 'key-' || n, 'charge.success',
     'sy' || replace(payment_id::text, '-', '') || '00',
     (CASE WHEN n % 30 = 8 THEN 'IGNORED' ELSE 'PROCESSED' END)::gateway_webhook_state, at FROM drawn`,
  `INSERT INTO webhook_follow_up (merchant_id, webhook_id, due_at, about)
   SELECT merchant_id, ${idOf("'webhook'")}, at, json_build_object('kind', 'payment', 'attemptId', attempt_id)
   FROM drawn WHERE is_new AND n % 9 = 1 AND n % 30 <> 8`,
];

/** Writes payments of a merchant with all that belongs to them, in the shares that are usual, without triggers. */
export async function writeManyPayments({ pool }: Database, of: ManyPayments): Promise<void> {
  const client = await pool.connect();
  const values = [of.merchantId, of.accountIds, of.endpointIds, of.until, of.count];
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(DRAW, values);
    for (const text of WRITE) await client.query(text);
  } finally {
    client.release(true);
  }
}
