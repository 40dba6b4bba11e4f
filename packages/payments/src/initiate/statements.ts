import type { Database, JsonValue } from '@switchyard/db';
import type { PaymentStatus } from '@switchyard/db/client';
import type { AttemptResult, NewAttempt, NewPayment, NewTimelineEvent, PaymentRecord } from '../life-cycle/payment-record.ts';

/*
 * The statements every payment runs, prepared and sent through `pg`: on this path Prisma costs five to ten times the CPU of the
 * statement itself (measured: 4.8 ms against 0.5 ms per payment). Each is one statement and so one transaction.
 */

const RESERVE = `
WITH reserved AS (
  INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id,
    customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
    smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, recommended_gateway, fallback_gateways,
    current_attempt_id, expires_at, next_check_at, version, status_event_id, status_changed_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, 'INITIATED', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
    NULL, $23, now() + $24 * interval '1 millisecond', 1, $25, $26, $26, $26)
  ON CONFLICT (merchant_id, mode, merchant_order_id) DO NOTHING
  RETURNING merchant_id, id),
event AS (
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, to_status, cause, detail, created_at)
  SELECT merchant_id, $25, id, 'payment.initiated', 'INITIATED', 'api', '{}', $26 FROM reserved),
attempt AS (
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  SELECT merchant_id, $27, id, $28, $29, $30, $31, 'STARTED', $26, $26 FROM reserved WHERE $27::uuid IS NOT NULL)
SELECT id FROM reserved`;

/**
 * Records a payment as INITIATED with its first attempt, durably, before any gateway is called. The order id is unique: of
 * concurrent calls one gets `reserved`, all others the id of that payment.
 */
export async function reservePayment(
  database: Database,
  payment: NewPayment,
  attempt: NewAttempt | null,
): Promise<{ kind: 'reserved' } | { kind: 'duplicate'; paymentId: string }> {
  const { rows } = await database.pool.query<{ id: string }>({
    name: 'reserve-payment',
    text: RESERVE,
    values: [...reserveValues(payment), ...attemptValues(attempt)],
  });
  if (rows.length === 1) return { kind: 'reserved' };
  const paymentId = await findPaymentIdByOrder(database, payment);
  if (paymentId === undefined) throw new Error('an order id was taken, and yet no payment has it');
  return { kind: 'duplicate', paymentId };
}

function reserveValues(payment: NewPayment): unknown[] {
  return [
    payment.merchantId,
    payment.paymentId,
    payment.mode,
    payment.merchantOrderId,
    payment.amount,
    payment.currency,
    payment.customerEmail,
    payment.customerId,
    payment.customerPhone,
    payment.customerCountry,
    payment.paymentMethod,
    payment.metadata === null ? null : JSON.stringify(payment.metadata),
    payment.redirectUrl,
    payment.requestedGateway,
    payment.routingMode,
    payment.smartRoutingBypassed,
    payment.ruleSetVersion,
    payment.ruleId,
    JSON.stringify(payment.routing),
    JSON.stringify(payment.routingInputs),
    payment.recommendedGateway,
    JSON.stringify(payment.fallbackGateways),
    payment.expiresAt,
    payment.abandonedAfterMs,
    payment.statusEventId,
    payment.createdAt,
  ];
}

function attemptValues(attempt: NewAttempt | null): unknown[] {
  if (attempt === null) return [null, null, null, null, null];
  return [attempt.attemptId, attempt.position, attempt.accountId, attempt.gateway, attempt.reference];
}

async function findPaymentIdByOrder(
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
    values: [merchantId, ...resultValues(failed), now, ...attemptValues(next)],
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
  readonly recommendedGateway: string;
  readonly session: JsonValue;
  readonly fallbackGateways: JsonValue;
  readonly routing: JsonValue;
  readonly gatewayReference: string;
  readonly attempt: AttemptResult;
  readonly event: NewTimelineEvent;
  readonly nextCheckAt: Date;
}

const SETTLE_OPENED = `
WITH settled AS (
  UPDATE payment SET status = 'PENDING', recommended_gateway = $3, session = $4, fallback_gateways = $5, routing = $6,
    gateway_reference = $7, current_attempt_id = $13, status_event_id = $8, status_changed_at = $9, updated_at = $9,
    next_check_at = $10, version = version + 1
  WHERE merchant_id = $1 AND id = $2 AND status = 'INITIATED'
  RETURNING merchant_id, id, version, updated_at),
event AS (
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  SELECT merchant_id, $8, id, 'payment.pending', 'INITIATED', 'PENDING', $11, $12, $9 FROM settled),
attempt AS (
  UPDATE attempt SET state = $14::attempt_state, failure_class = $15, failure_code = $16, failure_message = $17,
    latency_ms = $18, call = $19, updated_at = $9
  FROM settled WHERE attempt.merchant_id = $1 AND attempt.id = $13)
SELECT version FROM settled`;

/**
 * Moves a payment from INITIATED to PENDING, with its attempt and its timeline event, in one transaction. False when another
 * process has settled it, and nothing was changed.
 */
export async function settleOpenedInitiation(
  database: Database,
  key: { merchantId: string; paymentId: string },
  result: OpenedInitiation,
  now: Date,
): Promise<boolean> {
  const { rows } = await database.pool.query({
    name: 'settle-opened-initiation',
    text: SETTLE_OPENED,
    values: [
      key.merchantId,
      key.paymentId,
      result.recommendedGateway,
      JSON.stringify(result.session),
      JSON.stringify(result.fallbackGateways),
      JSON.stringify(result.routing),
      result.gatewayReference,
      result.event.eventId,
      now,
      result.nextCheckAt,
      result.event.cause,
      JSON.stringify(result.event.detail),
      ...resultValues(result.attempt),
    ],
  });
  return rows.length === 1;
}

const FIND = `
SELECT merchant_id AS "merchantId", id AS "paymentId", mode, merchant_order_id AS "merchantOrderId", status, amount, currency,
  customer_email AS "customerEmail", customer_id AS "customerId", customer_phone AS "customerPhone",
  payment_method AS "paymentMethod", redirect_url AS "redirectUrl", requested_gateway AS "requestedGateway",
  routing_mode AS "routingMode", smart_routing_bypassed AS "smartRoutingBypassed", routing,
  recommended_gateway AS "recommendedGateway", session, fallback_gateways AS "fallbackGateways",
  current_attempt_id AS "currentAttemptId", gateway_reference AS "gatewayReference", expires_at AS "expiresAt", late, review, version,
  status_event_id AS "statusEventId", status_changed_at AS "statusChangedAt", created_at AS "createdAt", updated_at AS "updatedAt"
FROM payment WHERE merchant_id = $1 AND id = $2`;

interface PaymentRow extends Omit<PaymentRecord, 'amount' | 'status'> {
  /** `int8` is returned as text. */
  readonly amount: string;
  readonly status: PaymentStatus;
}

/** One payment of a merchant, or undefined. `paymentId` must be a UUID. */
export async function readPayment(database: Database, merchantId: string, paymentId: string): Promise<PaymentRecord | undefined> {
  const { rows } = await database.pool.query<PaymentRow>({ name: 'find-payment', text: FIND, values: [merchantId, paymentId] });
  const [row] = rows;
  return row === undefined ? undefined : { ...row, amount: BigInt(row.amount) };
}
