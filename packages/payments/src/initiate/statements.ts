import { batched, type Database, type JsonWritable } from '@switchyard/db';
import type { PaymentStatus } from '@switchyard/db/client';
import type { AttemptResult, NewAttempt, NewPayment, NewTimelineEvent, PaymentRecord } from '../life-cycle/payment-record.ts';
import { type ReversalColumns, toReversal } from '../reversals/decide-reversal.ts';

/*
 * The statements every payment runs, prepared and sent through `pg`: on this path Prisma costs five to ten times the CPU of the
 * statement itself (measured: 4.8 ms against 0.5 ms per payment). Each is one statement and so one transaction. The two that every
 * payment runs are gathered: concurrent payments share one, which takes a third of the CPU of one statement each.
 */

/** A payment and its first attempt, as rows of {@link RESERVE}. */
interface NewRows {
  readonly payment: NewPayment;
  readonly attempt: NewAttempt | null;
  readonly traceparent: string | null;
}

const RESERVE = `
WITH input AS (
  SELECT * FROM json_to_recordset($1) AS input (merchant_id uuid, id uuid, mode mode, merchant_order_id text, amount int8,
    currency char(3), customer_email text, customer_id text, customer_phone text, customer_country char(2), payment_method text,
    metadata json, redirect_url text, requested_gateway text, routing_mode text, smart_routing_bypassed boolean,
    rule_set_version int, rule_id text, routing json, routing_inputs json, recommended_gateway text, fallback_gateways json,
    expires_at timestamptz, abandoned_after_ms float8, event_id uuid, created_at timestamptz, traceparent text,
    attempt_id uuid, position int, account_id uuid, gateway text, reference text)),
reserved AS (
  INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id,
    customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
    smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, recommended_gateway, fallback_gateways,
    expires_at, version, status_event_id, status_changed_at, created_at, updated_at)
  SELECT merchant_id, id, mode, merchant_order_id, 'INITIATED', amount, currency, customer_email, customer_id,
    customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
    smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, recommended_gateway, fallback_gateways,
    expires_at, 1, event_id, created_at, created_at, created_at
  FROM input
  ON CONFLICT DO NOTHING
  RETURNING merchant_id, id),
followed_up AS (
  INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
  SELECT merchant_id, id, now() + abandoned_after_ms * interval '1 millisecond', true FROM reserved JOIN input USING (merchant_id, id)),
event AS (
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, to_status, cause, detail, created_at)
  SELECT merchant_id, event_id, id, 'payment.initiated', 'INITIATED', 'api',
    CASE WHEN traceparent IS NULL THEN '{}' ELSE json_build_object('traceparent', traceparent) END, created_at
  FROM reserved JOIN input USING (merchant_id, id)),
attempt AS (
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  SELECT merchant_id, attempt_id, id, position, account_id, gateway, reference, 'STARTED', created_at, created_at
  FROM reserved JOIN input USING (merchant_id, id) WHERE attempt_id IS NOT NULL)
SELECT id FROM reserved`;

/**
 * Any conflict counts, the id's too: a request that is sent again under its idempotency key has the same id, and may run while the first
 * one's statement still does.
 */
const reserve = batched<NewRows, boolean>({
  async run(database, items) {
    const { rows } = await database.batches.query<{ id: string }>({
      name: 'reserve-payments',
      text: RESERVE,
      values: [JSON.stringify(items.map(toReservedRow))],
    });
    const reserved = new Set(rows.map(({ id }) => id));
    return items.map(({ payment }) => reserved.has(payment.paymentId));
  },
  key: ({ payment: { merchantId, mode, merchantOrderId } }) => `${merchantId} ${mode} ${merchantOrderId}`,
});

/**
 * Records a payment as INITIATED with its first attempt, durably, before any gateway is called. The order id is unique: of
 * concurrent calls one gets `reserved`, all others the id of that payment. `traceparent` is kept for what happens to the payment in other
 * traces.
 */
export async function reservePayment(
  database: Database,
  payment: NewPayment,
  attempt: NewAttempt | null,
  traceparent: string | null = null,
): Promise<{ kind: 'reserved' } | { kind: 'duplicate'; paymentId: string }> {
  if (await reserve(database, { payment, attempt, traceparent })) return { kind: 'reserved' };
  const paymentId = await findPaymentIdByOrder(database, payment);
  if (paymentId === undefined) throw new Error('an order id was taken, and yet no payment has it');
  return { kind: 'duplicate', paymentId };
}

function toReservedRow({ payment, attempt, traceparent }: NewRows) {
  return {
    merchant_id: payment.merchantId,
    id: payment.paymentId,
    mode: payment.mode,
    merchant_order_id: payment.merchantOrderId,
    amount: payment.amount.toString(),
    currency: payment.currency,
    customer_email: payment.customerEmail,
    customer_id: payment.customerId,
    customer_phone: payment.customerPhone,
    customer_country: payment.customerCountry,
    payment_method: payment.paymentMethod,
    metadata: payment.metadata,
    redirect_url: payment.redirectUrl,
    requested_gateway: payment.requestedGateway,
    routing_mode: payment.routingMode,
    smart_routing_bypassed: payment.smartRoutingBypassed,
    rule_set_version: payment.ruleSetVersion,
    rule_id: payment.ruleId,
    routing: payment.routing,
    routing_inputs: payment.routingInputs,
    recommended_gateway: payment.recommendedGateway,
    fallback_gateways: payment.fallbackGateways,
    expires_at: payment.expiresAt,
    abandoned_after_ms: payment.abandonedAfterMs,
    event_id: payment.statusEventId,
    created_at: payment.createdAt,
    traceparent,
    attempt_id: attempt?.attemptId,
    position: attempt?.position,
    account_id: attempt?.accountId,
    gateway: attempt?.gateway,
    reference: attempt?.reference,
  };
}

/** The `traceparent` of the request that began a payment; null where it was not traced, or there is no such payment. */
export async function findPaymentTrace(
  database: Database,
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
): Promise<string | null> {
  const { rows } = await database.pool.query<{ traceparent: string | null }>({
    name: 'find-payment-trace',
    text: `SELECT detail->>'traceparent' AS traceparent FROM timeline_event
      WHERE merchant_id = $1 AND payment_id = $2 AND type = 'payment.initiated' ORDER BY created_at, id LIMIT 1`,
    values: [merchantId, paymentId],
  });
  return rows[0]?.traceparent ?? null;
}

/** The id of the payment of an order, or undefined. */
export async function findPaymentIdByOrder(
  database: Database,
  order: { merchantId: string; mode: string; merchantOrderId: string },
): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ id: string }>({
    name: 'find-payment-by-order',
    text: 'SELECT id FROM payment WHERE merchant_id = $1 AND mode = $2 AND merchant_order_id = $3',
    values: [order.merchantId, order.mode, order.merchantOrderId],
  });
  return rows[0]?.id;
}

const RELEASE = `
UPDATE payment_check SET next_check_at = now() WHERE merchant_id = $1 AND payment_id = $2 AND initiating AND check_count = 0`;

/** Makes a payment that this process initiates and cannot go on with due at once, for another one to resume. */
export async function releaseInitiation(
  { pool }: Database,
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
): Promise<void> {
  await pool.query({ name: 'release-initiation', text: RELEASE, values: [merchantId, paymentId] });
}

const RECORD_FALLBACK = `
WITH failed AS (
  UPDATE attempt SET state = $3::attempt_state, failure_class = $4, failure_code = $5, failure_message = $6, latency_ms = $7,
    call = $8, updated_at = $9
  WHERE merchant_id = $1 AND id = $2 AND state = 'STARTED'
  RETURNING merchant_id, payment_id)
INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
SELECT merchant_id, $10, payment_id, $11, $12, $13, $14, 'STARTED', $9, $9 FROM failed`;

/**
 * Closes an attempt that did not open and records the next one, before its gateway is called. False when the attempt was closed or
 * has opened meanwhile: another process resumes the payment, nothing was recorded, and no gateway may be called.
 */
export async function recordFallback(
  database: Database,
  merchantId: string,
  failed: AttemptResult,
  next: NewAttempt,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'record-fallback',
    text: RECORD_FALLBACK,
    values: [
      merchantId,
      ...resultValues(failed),
      now,
      next.attemptId,
      next.position,
      next.accountId,
      next.gateway,
      next.reference,
    ],
  });
  return rowCount === 1;
}

function resultValues(result: AttemptResult): unknown[] {
  const { failure } = result;
  return [
    result.attemptId,
    result.state,
    failure?.class ?? null,
    failure?.code ?? null,
    failure?.message ?? null,
    result.latencyMs,
    JSON.stringify(result.call),
  ];
}

/** A checkout was opened. */
export interface OpenedInitiation {
  readonly session: JsonWritable;
  readonly fallbackGateways: JsonWritable;
  readonly routing: JsonWritable;
  readonly gatewayReference: string;
  readonly attempt: Pick<NewAttempt, 'attemptId' | 'accountId' | 'gateway'> & Pick<AttemptResult, 'latencyMs' | 'call'>;
  readonly event: NewTimelineEvent;
  readonly nextCheckAt: Date;
}

const SETTLE_OPENED = `
WITH input AS (
  SELECT * FROM json_to_recordset($1) AS input (merchant_id uuid, payment_id uuid, account_id uuid, gateway text,
    session json, fallback_gateways json, routing json, gateway_reference text, event_id uuid, cause text, detail json,
    at timestamptz, next_check_at timestamptz, attempt_id uuid, latency_ms int, call json)),
settled AS (
  UPDATE payment SET status = 'PENDING', recommended_gateway = input.gateway, session = input.session,
    fallback_gateways = input.fallback_gateways, routing = input.routing, gateway_reference = input.gateway_reference,
    current_attempt_id = input.attempt_id, account_id = input.account_id, account_gateway = input.gateway,
    status_event_id = input.event_id, status_changed_at = input.at, updated_at = input.at, version = version + 1
  FROM input WHERE payment.merchant_id = input.merchant_id AND payment.id = input.payment_id AND payment.status = 'INITIATED'
  RETURNING payment.merchant_id, payment.id),
followed_up AS (
  INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
  SELECT input.merchant_id, payment_id, next_check_at, false
  FROM settled JOIN input ON input.merchant_id = settled.merchant_id AND input.payment_id = settled.id
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false),
event AS (
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  SELECT input.merchant_id, event_id, payment_id, 'payment.pending', 'INITIATED', 'PENDING', cause, detail, at
  FROM settled JOIN input ON input.merchant_id = settled.merchant_id AND input.payment_id = settled.id),
opened AS (
  UPDATE attempt SET state = 'OPENED', latency_ms = input.latency_ms, call = input.call, updated_at = input.at
  FROM settled JOIN input ON input.merchant_id = settled.merchant_id AND input.payment_id = settled.id
  WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id)
SELECT id FROM settled`;

/** Result of opening one payment's checkout, in the shape of {@link SETTLE_OPENED}. */
interface SettledRow {
  readonly key: { readonly merchantId: string; readonly paymentId: string };
  readonly result: OpenedInitiation;
  readonly now: Date;
}

const settleOpened = batched<SettledRow, boolean>({
  async run(database, items) {
    const { rows } = await database.batches.query<{ id: string }>({
      name: 'settle-opened-initiations',
      text: SETTLE_OPENED,
      values: [JSON.stringify(items.map(toSettledRow))],
    });
    const settled = new Set(rows.map(({ id }) => id));
    return items.map(({ key }) => settled.has(key.paymentId));
  },
  key: ({ key: { paymentId } }) => paymentId,
});

/**
 * Moves a payment from INITIATED to PENDING, with its attempt and its timeline event, in one transaction. False when another
 * process has settled it, and nothing was changed.
 */
export function settleOpenedInitiation(
  database: Database,
  key: { merchantId: string; paymentId: string },
  result: OpenedInitiation,
  now: Date,
): Promise<boolean> {
  return settleOpened(database, { key, result, now });
}

function toSettledRow({ key, result, now }: SettledRow) {
  return {
    merchant_id: key.merchantId,
    payment_id: key.paymentId,
    account_id: result.attempt.accountId,
    gateway: result.attempt.gateway,
    session: result.session,
    fallback_gateways: result.fallbackGateways,
    routing: result.routing,
    gateway_reference: result.gatewayReference,
    event_id: result.event.eventId,
    cause: result.event.cause,
    detail: result.event.detail,
    at: now,
    next_check_at: result.nextCheckAt,
    attempt_id: result.attempt.attemptId,
    latency_ms: result.attempt.latencyMs,
    call: result.attempt.call,
  };
}

const FIND = `
SELECT place::int AS place, merchant_id AS "merchantId", id AS "paymentId", mode, merchant_order_id AS "merchantOrderId", status, amount, currency,
  customer_email AS "customerEmail", customer_id AS "customerId", customer_phone AS "customerPhone",
  payment_method AS "paymentMethod", redirect_url AS "redirectUrl", requested_gateway AS "requestedGateway",
  routing_mode AS "routingMode", smart_routing_bypassed AS "smartRoutingBypassed", routing,
  recommended_gateway AS "recommendedGateway", session, fallback_gateways AS "fallbackGateways",
  current_attempt_id AS "currentAttemptId", gateway_reference AS "gatewayReference", expires_at AS "expiresAt", late, review, version,
  trim_scale(reversed_amount)::text AS "reversedAmount", reversed_at AS "reversedAt", reversal_cause AS "reversalCause",
  status_event_id AS "statusEventId", status_changed_at AS "statusChangedAt", created_at AS "createdAt", updated_at AS "updatedAt"
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant, payment, place)
JOIN payment ON payment.merchant_id = key.merchant AND payment.id = key.payment`;

interface PaymentRow extends Omit<PaymentRecord, 'amount' | 'status' | 'reversal'>, ReversalColumns {
  readonly place: number;
  /** `int8` is returned as text. */
  readonly amount: string;
  readonly status: PaymentStatus;
}

const find = batched<{ readonly merchantId: string; readonly paymentId: string }, PaymentRecord | undefined>({
  async run({ batches }, keys) {
    const { rows } = await batches.query<PaymentRow>({
      name: 'find-payments',
      text: FIND,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ paymentId }) => paymentId)],
    });
    const found = keys.map((): PaymentRecord | undefined => undefined);
    for (const { place, amount, reversedAmount, reversedAt, reversalCause, ...row } of rows) {
      found[place - 1] = { ...row, amount: BigInt(amount), reversal: toReversal({ reversedAmount, reversedAt, reversalCause }) };
    }
    return found;
  },
});

/** One payment of a merchant, or undefined. `paymentId` must be a UUID. */
export function readPayment(database: Database, merchantId: string, paymentId: string): Promise<PaymentRecord | undefined> {
  return find(database, { merchantId, paymentId });
}
