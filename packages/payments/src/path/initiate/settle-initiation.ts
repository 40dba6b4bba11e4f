import { type Database, hintWorkers, type JsonWritable } from '@switchyard/db';
import type { CheckoutSession } from '@switchyard/gateways';
import type { Decision } from '@switchyard/routing';
import { addFallbackReasons } from '@switchyard/routing/decide';
import { announcedRow, deliveryHints, type NewMerchantEvent } from '@switchyard/webhooks/events';
import type { PaymentsContext } from '../../record/context.ts';
import { announce } from '../../record/event-record.ts';
import type { FailureReason } from '../../record/failure-reason.ts';
import { nextCheckAt, retryAt } from '../../record/next-check.ts';
import { timed } from '../../record/order.ts';
import type { AttemptResult, NewAttempt, NewTimelineEvent, PaymentRecord } from '../../record/payment-record.ts';
import { plannedFallbacks } from '../../record/plan.ts';
import { describeSession, type SessionOrigin } from '../../record/session.ts';
import {
  type DecisionToStore,
  packedDecision,
  packedSession,
  readPayment,
  resultRow,
  settleOpenedInitiation,
} from '../../record/statements.ts';
import { eventType } from '../../record/transitions.ts';
import type { FailedAttempt, Reserved } from './reserved.ts';

/** Makes the payment PENDING with the opened session; returns the current payment when another process settled it first. */
export async function settleOpened(
  context: PaymentsContext,
  reserved: Reserved,
  attempt: NewAttempt,
  result: AttemptResult,
  session: CheckoutSession,
  failed: readonly FailedAttempt[],
): Promise<PaymentRecord> {
  const { payment, decision, timings, cause } = reserved;
  const now = context.now();
  const unused = plannedFallbacks(decision.plan.slice(attempt.position + 1));
  const event = eventOf(attempt.attemptId, cause, 'PENDING', { gateway: attempt.gateway, reference: attempt.reference });
  const documents = {
    routing: routingAfter(decision, failed),
    session: describeSession(originOf(context, reserved, attempt), session, unused),
    fallbackGateways: unused,
  };
  const opened = {
    session: documents.session,
    fallbackGateways: unused,
    decision: changedDecision(reserved, documents.routing, failed),
    gatewayReference: session.reference,
    event,
    nextCheckAt: nextCheckAt({
      now,
      createdAt: payment.createdAt,
      expiresAt: payment.expiresAt,
      webhooksArrive: context.webhookArrivals.arrive(attempt.accountId),
      random: context.random(),
    }),
  };
  const settled = await timed(timings, 'db', () =>
    settleOpenedInitiation(context.resources.database, payment, { ...opened, attempt: { ...result, ...attempt } }, now),
  );
  if (!settled) return settledByAnother(context, payment);
  return {
    ...payment,
    documents,
    gatewayReference: session.reference,
    recommendedGateway: attempt.gateway,
    status: 'PENDING',
    currentAttemptId: attempt.attemptId,
    version: payment.version + 1,
    statusEventId: event.eventId,
    statusChangedAt: now,
    updatedAt: now,
  };
}

/** Makes the payment FAILED, as no gateway opened a checkout; returns the current payment when another process settled it first. */
export async function settleFailed(
  context: PaymentsContext,
  reserved: Reserved,
  last: AttemptResult | null,
  failed: readonly FailedAttempt[],
  reason?: 'session_expired',
): Promise<PaymentRecord> {
  const { payment, caller, decision, timings, cause } = reserved;
  const now = context.now();
  // An attempt that was never answered may have opened a checkout: it stays on watch.
  const watch = failed.some(({ uncertain }) => uncertain);
  const why: FailureReason = reason ?? (failed.length === 0 ? 'no_eligible_provider' : 'every_gateway_failed');
  const event = eventOf(context.newId(), cause, 'FAILED', { reason: why });
  const routing = routingAfter(decision, failed);
  const after: PaymentRecord = {
    ...payment,
    status: 'FAILED',
    documents: { routing, session: null, fallbackGateways: [] },
    version: payment.version + 1,
    statusEventId: event.eventId,
    statusChangedAt: now,
    updatedAt: now,
  };
  const announcement = announce(after, caller.configuration.merchant.merchantNumber, { ...event, at: now });
  if (announcement === null) throw new Error('a failed payment is always announced');
  const next = watch ? retryAt({ now, unanswered: 3, random: context.random() }) : null;
  const changed = changedDecision(reserved, routing, failed);
  const result = { decision: changed, failureReason: why, attempt: last, event, announcement, nextCheckAt: next };
  const settled = await timed(timings, 'db', () => settleFailedInitiation(context.resources.database, payment, result, now));
  return settled ? after : settledByAnother(context, payment);
}

/** The payment as another process settled it while this one was paused. */
export async function settledByAnother(
  context: PaymentsContext,
  { merchantId, paymentId }: PaymentRecord,
): Promise<PaymentRecord> {
  const current = await readPayment(context.resources.database, merchantId, paymentId);
  if (current === undefined) throw new Error(`payment ${paymentId} is gone`);
  return current;
}

function eventOf(
  eventId: string,
  cause: Reserved['cause'],
  toStatus: 'PENDING' | 'FAILED',
  detail: NewTimelineEvent['detail'],
): NewTimelineEvent {
  const type = eventType(toStatus);
  return { eventId, type, fromStatus: 'INITIATED', toStatus, cause, actor: null, detail };
}

function routingAfter(decision: Decision, failed: readonly FailedAttempt[]) {
  const failures = failed.map(({ attempt, failure }) => ({
    gateway: attempt.gateway,
    accountId: attempt.accountId,
    code: failure.code,
    message: failure.message,
  }));
  return addFallbackReasons(decision, failures);
}

/** The decision to store again: only gateways that failed add to one. */
function changedDecision({ inputs }: Reserved, routing: JsonWritable, failed: readonly FailedAttempt[]): DecisionToStore | null {
  return failed.length === 0 ? null : { routing, inputs };
}

/** Where a payment's checkout at one account comes from. */
export function originOf(
  context: PaymentsContext,
  { caller, payment }: Reserved,
  attempt: Pick<NewAttempt, 'accountId' | 'gateway'>,
): SessionOrigin {
  return {
    publicUrl: context.resources.publicUrl,
    mode: payment.mode,
    merchantId: payment.merchantId,
    paymentId: payment.paymentId,
    merchantOrderId: payment.merchantOrderId,
    accountId: attempt.accountId,
    gateway: attempt.gateway,
    redirectUrl: payment.redirectUrl ?? caller.configuration.merchant.defaultRedirectUrl,
  };
}

/** No checkout was opened, and none will be. */
interface FailedInitiation {
  /** Null where it did not change. */
  readonly decision: DecisionToStore | null;
  readonly failureReason: FailureReason;
  /** The last attempt and its outcome; null when no account was eligible, or no attempt has a new outcome. */
  readonly attempt: AttemptResult | null;
  readonly event: NewTimelineEvent;
  readonly announcement: NewMerchantEvent;
  /** When attempts that may have opened a checkout without an answer are verified again; null when there are none. */
  readonly nextCheckAt: Date | null;
}

/** A row for the payment, none where another process has settled it, and one for each endpoint that its event goes to. */
const SETTLE_FAILED = 'SELECT endpoint AS "endpointId" FROM settle_failed_initiation($1, $2, $3)';

/**
 * Moves a payment from INITIATED to FAILED, with its attempt, its timeline event and the merchant's event, in one
 * transaction. False, with nothing changed, when another process has settled it.
 */
export async function settleFailedInitiation(
  database: Database,
  key: { readonly merchantId: string; readonly paymentId: string },
  { attempt, event, announcement, ...result }: FailedInitiation,
  now: Date,
): Promise<boolean> {
  const initiation = {
    payment_id: key.paymentId,
    failure_reason: result.failureReason,
    packed_decision: packedDecision(result.decision),
    packed_session: packedSession(key, null, []),
    at: now,
    event_id: event.eventId,
    cause: event.cause,
    detail: event.detail,
    next_check_at: result.nextCheckAt,
    ...(attempt !== null && resultRow(attempt)),
  };
  const { rows } = await database.pool.query<{ endpointId: string | null }>({
    name: 'settle-failed-initiation',
    text: SETTLE_FAILED,
    values: [key.merchantId, JSON.stringify(initiation), JSON.stringify([announcedRow(announcement, now)])],
  });
  hintWorkers(database, deliveryHints(key.merchantId, rows));
  return rows.length > 0;
}
