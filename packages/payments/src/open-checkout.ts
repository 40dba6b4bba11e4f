import {
  type AttemptResult,
  type InitiationResult,
  type NewAttempt,
  type NewPayment,
  type PaymentRecord,
  recordFallback,
  settleInitiation,
} from '@switchyard/db';
import type { CheckoutSession, Failure, Outcome } from '@switchyard/gateways';
import { addFallbackReasons, type Decision } from '@switchyard/routing';
import { reachAccount } from './account-access.ts';
import type { PaymentsContext } from './context.ts';
import { type Caller, type Timings, timed } from './order.ts';
import { attemptAt, plannedFallbacks } from './plan.ts';
import { callbackUrl, describeSession, type SessionOrigin, toJson } from './session.ts';
import { eventType } from './transitions.ts';

/** A payment that was recorded and waits for a checkout. */
export interface Reserved {
  readonly caller: Caller;
  readonly payment: NewPayment;
  readonly decision: Decision;
  readonly attempt: NewAttempt | null;
  /** On the monotonic clock. */
  readonly deadline: number;
  readonly timings: Timings;
}

interface FailedAttempt {
  readonly attempt: NewAttempt;
  readonly failure: Failure;
  readonly uncertain: boolean;
}

const CALL_MAX_MS = 8_000;
const CALL_MIN_MS = 500;
const FIRST_CHECK_MS = 60_000;

/**
 * Tries the planned gateways in order until one opens a checkout, then settles the payment as PENDING; as FAILED when none did.
 * Each attempt is on record before its gateway is called. All of them share the time until the deadline.
 */
export async function openCheckout(context: PaymentsContext, reserved: Reserved): Promise<PaymentRecord> {
  const failed: FailedAttempt[] = [];
  let { attempt } = reserved;
  let last: AttemptResult | null = null;
  while (attempt !== null) {
    const outcome = await open(context, reserved, attempt);
    const result = describeResult(attempt, outcome);
    observe(context, reserved.payment, attempt, outcome);
    if (outcome.outcome === 'yes') return settleOpened(context, reserved, attempt, result, outcome.value, failed);
    failed.push({ attempt, failure: outcome.failure, uncertain: outcome.outcome === 'unknown' });
    last = result;
    const inTime = reserved.deadline - performance.now() > CALL_MIN_MS;
    const next: NewAttempt | null = inTime
      ? attemptAt(context, reserved.payment.paymentId, reserved.decision.plan, attempt.position + 1)
      : null;
    if (next !== null) await remember(context, reserved, result, next);
    attempt = next;
  }
  return settleFailed(context, reserved, last, failed);
}

function observe(context: PaymentsContext, payment: NewPayment, attempt: NewAttempt, outcome: Outcome<CheckoutSession>): void {
  context.health.observe(
    { merchantId: payment.merchantId, accountId: attempt.accountId, method: payment.paymentMethod },
    outcome,
  );
}

function remember(
  context: PaymentsContext,
  { payment, timings }: Reserved,
  result: AttemptResult,
  next: NewAttempt,
): Promise<void> {
  return timed(timings, 'db', () => recordFallback(context.resources.database, payment.merchantId, result, next, context.now()));
}

async function open(context: PaymentsContext, reserved: Reserved, attempt: NewAttempt): Promise<Outcome<CheckoutSession>> {
  const { payment, caller, decision, deadline, timings } = reserved;
  const known = context.resources.configuration.account(attempt.accountId);
  const reachable = known === undefined ? null : reachAccount(context.resources.vault, known.account);
  if (reachable === null) return notReachable(attempt);
  const left = deadline - performance.now();
  const share = left / (decision.plan.length - attempt.position);
  const order = {
    reference: attempt.reference,
    amount: payment.amount,
    currency: payment.currency,
    customer: { email: payment.customerEmail, phone: payment.customerPhone, id: payment.customerId },
    method: payment.paymentMethod,
    callbackUrl: callbackUrl(originOf(context, reserved, attempt)),
    paymentId: payment.paymentId,
    sessionMinutes: caller.configuration.merchant.sessionMinutes,
  };
  const timeoutMs = Math.round(Math.max(CALL_MIN_MS, Math.min(CALL_MAX_MS, share)));
  return timed(timings, 'gateway', () => reachable.gateway.open(reachable.access, order, { timeoutMs }));
}

/** The account was taken away between the decision and the call. */
function notReachable(attempt: NewAttempt): Outcome<CheckoutSession> {
  const message = `The account at ${attempt.gateway} is no longer configured.`;
  return {
    outcome: 'no',
    failure: { class: 'our_configuration', code: 'invalid_credentials', message },
    call: { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null },
  };
}

function describeResult(attempt: NewAttempt, outcome: Outcome<CheckoutSession>): AttemptResult {
  return {
    attemptId: attempt.attemptId,
    state: outcome.outcome === 'yes' ? 'OPENED' : outcome.outcome === 'no' ? 'REFUSED' : 'UNKNOWN',
    failure: outcome.outcome === 'yes' ? null : outcome.failure,
    latencyMs: Math.round(outcome.call.latencyMs),
    call: toJson(outcome.call),
  };
}

async function settleOpened(
  context: PaymentsContext,
  reserved: Reserved,
  attempt: NewAttempt,
  result: AttemptResult,
  session: CheckoutSession,
  failed: readonly FailedAttempt[],
): Promise<PaymentRecord> {
  const unused = plannedFallbacks(reserved.decision.plan.slice(attempt.position + 1));
  return settle(context, reserved, attempt.attemptId, {
    status: 'PENDING',
    recommendedGateway: attempt.gateway,
    session: describeSession(originOf(context, reserved, attempt), session, unused),
    fallbackGateways: toJson(unused),
    routing: routingAfter(reserved.decision, failed),
    gatewayReference: session.reference,
    attempt: result,
    detail: { gateway: attempt.gateway, reference: attempt.reference },
    nextCheckAt: new Date(context.now().getTime() + FIRST_CHECK_MS),
  });
}

async function settleFailed(
  context: PaymentsContext,
  reserved: Reserved,
  last: AttemptResult | null,
  failed: readonly FailedAttempt[],
): Promise<PaymentRecord> {
  // An attempt that was never answered may have opened a checkout: it stays on watch.
  const watch = failed.some(({ uncertain }) => uncertain);
  return settle(context, reserved, null, {
    status: 'FAILED',
    recommendedGateway: reserved.payment.recommendedGateway,
    session: null,
    fallbackGateways: [],
    routing: routingAfter(reserved.decision, failed),
    gatewayReference: null,
    attempt: last,
    detail: { reason: last === null ? 'no_eligible_provider' : 'every_gateway_failed' },
    nextCheckAt: watch ? new Date(context.now().getTime() + FIRST_CHECK_MS) : null,
  });
}

type Settlement = Omit<InitiationResult, 'event'> & { readonly detail: InitiationResult['event']['detail'] };

async function settle(
  context: PaymentsContext,
  { payment, timings }: Reserved,
  currentAttemptId: string | null,
  { detail, ...settlement }: Settlement,
): Promise<PaymentRecord> {
  const now = context.now();
  const event = {
    eventId: context.newId(),
    type: eventType(settlement.status),
    fromStatus: 'INITIATED',
    toStatus: settlement.status,
    cause: 'api',
    actor: null,
    detail,
  } as const;
  const key = { merchantId: payment.merchantId, paymentId: payment.paymentId };
  const settled = await timed(timings, 'db', () =>
    settleInitiation(context.resources.database, key, { ...settlement, event }, now),
  );
  if (!settled) throw new Error(`payment ${payment.paymentId} was settled by somebody else while its checkout was being opened`);
  return {
    ...payment,
    status: settlement.status,
    recommendedGateway: settlement.recommendedGateway,
    session: settlement.session,
    fallbackGateways: settlement.fallbackGateways,
    routing: settlement.routing,
    gatewayReference: settlement.gatewayReference,
    currentAttemptId,
    late: false,
    version: 2,
    statusEventId: event.eventId,
    statusChangedAt: now,
    updatedAt: now,
  };
}

function routingAfter(decision: Decision, failed: readonly FailedAttempt[]) {
  const failures = failed.map(({ attempt, failure }) => ({
    gateway: attempt.gateway,
    accountId: attempt.accountId,
    code: failure.code,
    message: failure.message,
  }));
  return toJson(addFallbackReasons(decision.record, failures));
}

function originOf(context: PaymentsContext, { caller, payment }: Reserved, attempt: NewAttempt): SessionOrigin {
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
