import { batched, type Database, type JsonWritable } from '@switchyard/db';
import type { PaymentStatus } from '@switchyard/db/client';
import { packDecision } from '@switchyard/rule-sets/store-inputs';
import { type ReversalColumns, toReversal } from './decide-reversal.ts';
import { packCall } from './packed-call.ts';
import { type DocumentColumns, packSession, StoredDocuments } from './payment-documents.ts';
import type { AttemptResult, NewAttempt, NewPayment, NewTimelineEvent, PaymentRecord } from './payment-record.ts';

/*
 * The statements every payment runs, prepared and sent through `pg`: on this path Prisma costs five to ten times the CPU of the
 * statement itself (measured: 4.8 ms against 0.5 ms per payment). Each is one statement and so one transaction; what writes to several
 * tables is a function of the database. The two that every payment runs are gathered: concurrent payments share one, which takes a third of
 * the CPU of one statement each.
 */

/** A payment and its first attempt. */
interface NewRows {
  readonly payment: NewPayment;
  readonly attempt: NewAttempt | null;
  readonly traceparent: string | null;
}

/**
 * Any conflict counts, the id's too: a request that is sent again under its idempotency key has the same id, and may run while the first
 * one's statement still does.
 */
const reserve = batched<NewRows, boolean>({
  async run(database, items, merchant) {
    const { rows } = await database.batches.query<{ id: string }>({
      name: 'reserve-payments',
      text: 'SELECT reserve_payments($1, $2, $3) AS id',
      values: [merchant, JSON.stringify(items.map(toPaymentRow)), JSON.stringify(items.map(toFirstRow))],
    });
    const reserved = new Set(rows.map(({ id }) => id));
    return items.map(({ payment }) => reserved.has(payment.paymentId));
  },
  key: ({ payment: { merchantId, mode, merchantOrderId } }) => `${merchantId} ${mode} ${merchantOrderId}`,
  merchant: ({ payment }) => payment.merchantId,
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

function toPaymentRow({ payment }: NewRows) {
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
    packed_decision: packedDecision({ routing: payment.routing, inputs: payment.routingInputs }),
    recommended_gateway: payment.recommendedGateway,
    packed_session: packedSession(payment, null, payment.fallbackGateways),
    expires_at: payment.expiresAt,
    event_id: payment.statusEventId,
    created_at: payment.createdAt,
  };
}

export interface DecisionToStore {
  readonly routing: JsonWritable;
  readonly inputs: JsonWritable;
}

/** A decision for the functions of the database; null for one that did not change. */
export function packedDecision(decision: DecisionToStore | null): string | null {
  return decision === null ? null : packDecision(decision.routing, decision.inputs).toString('base64');
}

/** A session for the functions of the database. */
export function packedSession(
  key: { readonly merchantId: string; readonly paymentId: string },
  session: JsonWritable,
  fallbackGateways: JsonWritable,
): string {
  return packSession(key, session, fallbackGateways).toString('base64');
}

/** The first rows beside a new payment. Its event has the payment's id, and is stored only where it says more than the payment. */
function toFirstRow({ payment, attempt, traceparent }: NewRows) {
  const isDerived = traceparent === null && payment.statusEventId === payment.paymentId;
  return {
    merchant_id: payment.merchantId,
    payment_id: payment.paymentId,
    abandoned_after_ms: payment.abandonedAfterMs,
    event_id: isDerived ? undefined : payment.statusEventId,
    detail: traceparent === null ? {} : { traceparent },
    created_at: payment.createdAt,
    attempt_id: attempt?.attemptId,
    position: attempt?.position,
    account_id: attempt?.accountId,
    gateway: attempt?.gateway,
    reference: attempt?.reference,
  };
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
  const fallback = {
    ...resultRow(failed),
    at: now,
    next_id: next.attemptId,
    position: next.position,
    account_id: next.accountId,
    gateway: next.gateway,
    reference: next.reference,
  };
  const { rows } = await database.pool.query<{ recorded: boolean }>({
    name: 'record-fallback',
    text: 'SELECT record_fallback($1, $2) AS recorded',
    values: [merchantId, JSON.stringify(fallback)],
  });
  return rows[0]?.recorded === true;
}

/** A recorded call as the functions of the database take it. */
function packedText(call: AttemptResult['call']): string | null {
  return call === null ? null : packCall(call).toString('base64');
}

/** How an attempt ended, for the functions of the database. */
export function resultRow({ attemptId, state, failure, latencyMs, call }: AttemptResult) {
  return {
    attempt_id: attemptId,
    state,
    failure_class: failure?.class,
    failure_code: failure?.code,
    failure_message: failure?.message,
    latency_ms: latencyMs,
    packed_call: packedText(call),
  };
}

/** A checkout was opened. */
export interface OpenedInitiation {
  readonly session: JsonWritable;
  readonly fallbackGateways: JsonWritable;
  /** Null where it did not change. */
  readonly decision: DecisionToStore | null;
  readonly gatewayReference: string;
  readonly attempt: Pick<NewAttempt, 'attemptId' | 'accountId' | 'gateway'> & Pick<AttemptResult, 'latencyMs' | 'call'>;
  readonly event: NewTimelineEvent;
  readonly nextCheckAt: Date;
}

/** Result of opening one payment's checkout. */
interface SettledRow {
  readonly key: { readonly merchantId: string; readonly paymentId: string };
  readonly result: OpenedInitiation;
  readonly now: Date;
}

const settleOpened = batched<SettledRow, boolean>({
  async run(database, items, merchant) {
    const { rows } = await database.batches.query<{ id: string }>({
      name: 'settle-opened-initiations',
      text: 'SELECT settle_opened_initiations($1, $2, $3) AS id',
      values: [merchant, JSON.stringify(items.map(toSettledRow)), JSON.stringify(items.map(toOpenedRow))],
    });
    const settled = new Set(rows.map(({ id }) => id));
    return items.map(({ key }) => settled.has(key.paymentId));
  },
  key: ({ key: { paymentId } }) => paymentId,
  merchant: ({ key }) => key.merchantId,
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
    packed_session: packedSession(key, result.session, result.fallbackGateways),
    packed_decision: packedDecision(result.decision),
    gateway_reference: result.gatewayReference,
    event_id: result.event.eventId,
    at: now,
    attempt_id: result.attempt.attemptId,
  };
}

/** The rows beside a payment whose checkout was opened. Its event is stored as the first one is: it has the attempt's id. */
function toOpenedRow({ key, result, now }: SettledRow) {
  const { event, attempt } = result;
  return {
    merchant_id: key.merchantId,
    payment_id: key.paymentId,
    next_check_at: result.nextCheckAt,
    event_id: event.cause === 'api' && event.eventId === attempt.attemptId ? undefined : event.eventId,
    cause: event.cause,
    detail: event.detail,
    at: now,
    attempt_id: attempt.attemptId,
    latency_ms: attempt.latencyMs,
    packed_call: packedText(attempt.call),
  };
}

const FIND = `
SELECT place::int AS place, merchant_id AS "merchantId", id AS "paymentId", mode, merchant_order_id AS "merchantOrderId", status, amount, currency,
  customer_email AS "customerEmail", customer_id AS "customerId", customer_phone AS "customerPhone",
  payment_method AS "paymentMethod", redirect_url AS "redirectUrl", requested_gateway AS "requestedGateway",
  routing_mode AS "routingMode", smart_routing_bypassed AS "smartRoutingBypassed",
  packed_decision AS "packedDecision", recommended_gateway AS "recommendedGateway",
  packed_session AS "packedSession",
  current_attempt_id AS "currentAttemptId", gateway_reference AS "gatewayReference", expires_at AS "expiresAt", late, review, version,
  trim_scale(reversed_amount)::text AS "reversedAmount", reversed_at AS "reversedAt", reversal_cause AS "reversalCause",
  status_event_id AS "statusEventId", status_changed_at AS "statusChangedAt", created_at AS "createdAt", updated_at AS "updatedAt"
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant, payment, place)
JOIN payment ON payment.merchant_id = key.merchant AND payment.id = key.payment
  AND ($3::uuid IS NULL OR payment.merchant_id = $3)`;

interface PaymentRow
  extends Omit<PaymentRecord, 'amount' | 'status' | 'reversal' | 'documents'>,
    Omit<DocumentColumns, 'merchantId' | 'paymentId'>,
    ReversalColumns {
  readonly place: number;
  /** `int8` is returned as text. */
  readonly amount: string;
  readonly status: PaymentStatus;
}

const find = batched<{ readonly merchantId: string; readonly paymentId: string }, PaymentRecord | undefined>({
  async run({ batches }, keys, merchant) {
    const { rows } = await batches.query<PaymentRow>({
      name: 'find-payments',
      text: FIND,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ paymentId }) => paymentId), merchant],
    });
    const found = keys.map((): PaymentRecord | undefined => undefined);
    for (const row of rows) {
      const { place, amount, reversedAmount, reversedAt, reversalCause, ...columns } = row;
      const { packedDecision, packedSession, ...record } = columns;
      found[place - 1] = {
        ...record,
        documents: new StoredDocuments(columns),
        amount: BigInt(amount),
        reversal: toReversal({ reversedAmount, reversedAt, reversalCause }),
      };
    }
    return found;
  },
  merchant: ({ merchantId }) => merchantId,
});

/** One payment of a merchant, or undefined. `paymentId` must be a UUID. */
export function readPayment(database: Database, merchantId: string, paymentId: string): Promise<PaymentRecord | undefined> {
  return find(database, { merchantId, paymentId });
}
