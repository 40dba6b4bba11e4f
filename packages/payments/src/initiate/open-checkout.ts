import type { CheckoutSession, Outcome } from '@switchyard/gateways';
import type { AccountCall } from '@switchyard/provider-health';
import type { PaymentsContext } from '../context.ts';
import { timed } from '../life-cycle/order.ts';
import type { AttemptResult, NewAttempt, PaymentRecord } from '../life-cycle/payment-record.ts';
import { publishInitiation } from './observe-initiate.ts';
import { attemptAt } from './plan.ts';
import type { FailedAttempt, Reserved } from './reserved.ts';
import { callbackUrl } from './session.ts';
import { originOf, settledByAnother, settleFailed, settleOpened } from './settle-initiation.ts';
import { recordFallback } from './statements.ts';
import { tryTimeoutMs } from './time-budget.ts';

/**
 * Tries the planned gateways in order until one opens a checkout, then settles the payment as PENDING; as FAILED when none did.
 * Each attempt is recorded before its gateway is called. All attempts share the time until the deadline. `earlier` are attempts of
 * an earlier run. Once another process resumes the payment, no further gateway is called, and the payment is returned in its
 * current state.
 */
export async function openCheckout(
  context: PaymentsContext,
  reserved: Reserved,
  earlier: readonly FailedAttempt[] = [],
): Promise<PaymentRecord> {
  const tried: AccountCall[] = [];
  try {
    const payment = await tryPlan(context, reserved, earlier, tried);
    publishInitiation(context, reserved, payment, tried);
    return payment;
  } finally {
    void context.configurationFaults.learnFromOpenings(tried, reserved.payment.customerEmail);
  }
}

async function tryPlan(
  context: PaymentsContext,
  reserved: Reserved,
  earlier: readonly FailedAttempt[],
  tried: AccountCall[],
): Promise<PaymentRecord> {
  const failed = [...earlier];
  let { attempt } = reserved;
  let last: AttemptResult | null = null;
  while (attempt !== null) {
    const outcome = await tryAccount(context, reserved, attempt, tried);
    const result = describeResult(attempt, outcome, reserved.calledBefore && attempt === reserved.attempt);
    if (outcome.outcome === 'yes') return settleOpened(context, reserved, attempt, result, outcome.value, failed);
    failed.push({ attempt, failure: outcome.failure, uncertain: result.state === 'UNKNOWN' });
    last = result;
    const next: NewAttempt | null =
      reserved.deadline > performance.now()
        ? attemptAt(context, reserved.payment.paymentId, reserved.decision.plan, attempt.position + 1)
        : null;
    if (next !== null && !(await remember(context, reserved, result, next))) return settledByAnother(context, reserved.payment);
    attempt = next;
  }
  return settleFailed(context, reserved, last, failed);
}

function remember(
  context: PaymentsContext,
  { payment, timings }: Reserved,
  result: AttemptResult,
  next: NewAttempt,
): Promise<boolean> {
  return timed(timings, 'db', () => recordFallback(context.resources.database, payment.merchantId, result, next, context.now()));
}

async function tryAccount(
  context: PaymentsContext,
  reserved: Reserved,
  attempt: NewAttempt,
  tried: AccountCall[],
): Promise<Outcome<CheckoutSession>> {
  const { payment, caller, decision, deadline, timings } = reserved;
  const { accountId } = attempt;
  const known = context.resources.configuration.account(accountId);
  const reachable = known === undefined ? null : context.resources.openAccount(known.account);
  if (reachable === null) return notReachable(attempt);
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
  const timeoutMs = tryTimeoutMs({
    leftMs: deadline - performance.now(),
    accountMs: context.health.openingTimeoutMs(accountId, payment.paymentMethod),
    behind: decision.plan.length - 1 - attempt.position,
  });
  const opened = context.health.beginOpening({ merchantId: payment.merchantId, accountId, method: payment.paymentMethod });
  const outcome = await timed(timings, 'gateway', () => reachable.gateway.open(reachable.access, order, { timeoutMs }));
  opened(outcome);
  tried.push({ account: reachable.account, outcome });
  return outcome;
}

/** The account was deleted between the decision and the call. */
function notReachable(attempt: NewAttempt): Outcome<CheckoutSession> {
  const message = `The account at ${attempt.gateway} is no longer configured.`;
  return {
    outcome: 'no',
    failure: { class: 'our_configuration', code: 'invalid_credentials', message },
    call: { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null },
  };
}

function describeResult(attempt: NewAttempt, outcome: Outcome<CheckoutSession>, calledBefore: boolean): AttemptResult {
  return {
    attemptId: attempt.attemptId,
    state: outcome.outcome === 'yes' ? 'OPENED' : isCertain(outcome) && !calledBefore ? 'REFUSED' : 'UNKNOWN',
    failure: outcome.outcome === 'yes' ? null : outcome.failure,
    latencyMs: Math.round(outcome.call.latencyMs),
    call: outcome.call,
  };
}

/** A used reference means that the gateway received an earlier call with it: its checkout may be open. */
function isCertain(outcome: Exclude<Outcome<CheckoutSession>, { outcome: 'yes' }>): boolean {
  return outcome.outcome === 'no' && outcome.failure.code !== 'duplicate_reference';
}
