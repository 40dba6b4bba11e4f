import { OwnFaultError, unlessUnavailable } from '@switchyard/db';
import type { CheckoutSession, Outcome } from '@switchyard/gateways';
import type { AccountCall } from '@switchyard/provider-health';
import type { PaymentsContext } from '../../record/context.ts';
import { timed } from '../../record/order.ts';
import type { AttemptResult, NewAttempt, PaymentRecord } from '../../record/payment-record.ts';
import { attemptAt } from '../../record/plan.ts';
import { callbackUrl } from '../../record/session.ts';
import { recordFallback } from '../../record/statements.ts';
import { publishInitiation } from './observe-initiate.ts';
import type { FailedAttempt, Reserved } from './reserved.ts';
import { originOf, settledByAnother, settleFailed, settleOpened } from './settle-initiation.ts';

/** Maximum time of one attempt. */
export const TRY_MAX_MS = 8_000;
/** A payment still INITIATED this long after its budget belongs to a dead process. */
export const GRACE_MS = 10_000;
/** Minimum time of a started attempt, even past the deadline. */
const TRY_MIN_MS = 500;
/** Reserved for each later account of the plan; an equal share of the rest where there is less. */
const TRY_KEPT_MS = 2_000;

/** Inputs of the timeout of one attempt, in milliseconds. */
export interface TimeBudget {
  /** Until the deadline of all attempts. */
  readonly leftMs: number;
  /** The time the account needs to answer, by its usual latency. */
  readonly accountMs: number;
  /** The number of accounts of the plan after this one. */
  readonly behind: number;
}

/**
 * The time for an attempt at one account. Every later account keeps its reserve, so that the whole plan is tried before the
 * deadline. The last one gets the whole rest: there is no fallback, so a slow answer is better than none.
 */
export function tryTimeoutMs({ leftMs, accountMs, behind }: TimeBudget): number {
  if (behind === 0) return Math.round(Math.min(TRY_MAX_MS, Math.max(TRY_MIN_MS, leftMs)));
  const keptMs = Math.min(TRY_KEPT_MS, leftMs / (behind + 1));
  return Math.round(Math.max(1, Math.min(TRY_MAX_MS, accountMs, leftMs - behind * keptMs)));
}

/** How the tries ended. */
export type Opening =
  | { readonly kind: 'settled'; readonly payment: PaymentRecord }
  /** No gateway was asked, through faults of ours alone, which `why` names. The payment stays INITIATED, to be resumed. */
  | { readonly kind: 'not_asked'; readonly payment: PaymentRecord; readonly why: readonly string[] };

/**
 * Tries the planned gateways in order until one opens a checkout, then settles the payment as PENDING; as FAILED when none did,
 * unless no gateway was asked at all.
 * Each attempt is recorded before its gateway is called. All attempts share the time until the deadline. `earlier` are attempts of
 * an earlier run. Once another process resumes the payment, or may have, no further gateway is called, and the payment is returned in its
 * current state.
 */
export async function openCheckout(
  context: PaymentsContext,
  reserved: Reserved,
  earlier: readonly FailedAttempt[] = [],
): Promise<Opening> {
  const tried: AccountCall[] = [];
  try {
    const opening = await tryPlan(context, reserved, earlier, tried);
    if (opening.kind === 'settled') publishInitiation(context, reserved, opening.payment, tried);
    return opening;
  } finally {
    void context.configurationFaults.learnFromOpenings(tried, reserved.payment.customerEmail);
  }
}

async function tryPlan(
  context: PaymentsContext,
  reserved: Reserved,
  earlier: readonly FailedAttempt[],
  tried: AccountCall[],
): Promise<Opening> {
  const failed = [...earlier];
  let { attempt } = reserved;
  let last: AttemptResult | null = null;
  while (attempt !== null) {
    // A process that stood still: another one may be opening the checkout.
    if (performance.now() > reserved.deadline + GRACE_MS) return settled(await settledByAnother(context, reserved.payment));
    const { outcome, asked } = await tryAccount(context, reserved, attempt, tried);
    const result = describeResult(attempt, outcome, reserved.calledBefore && attempt === reserved.attempt);
    if (outcome.outcome === 'yes') return settled(await settleOpened(context, reserved, attempt, result, outcome.value, failed));
    failed.push({ attempt, failure: outcome.failure, uncertain: result.state === 'UNKNOWN', asked });
    last = result;
    const next: NewAttempt | null =
      reserved.deadline > performance.now()
        ? attemptAt(context, reserved.payment.paymentId, reserved.decision.plan, attempt.position + 1)
        : null;
    if (next === null ? performance.now() > reserved.deadline + GRACE_MS : !(await remember(context, reserved, result, next)))
      return settled(await settledByAnother(context, reserved.payment));
    attempt = next;
  }
  if (failed.length > 0 && failed.every(({ asked }) => !asked)) {
    const why = failed.map(({ attempt: { accountId }, failure }) => `account ${accountId} (${failure.message})`);
    return { kind: 'not_asked', payment: reserved.payment, why };
  }
  return settled(await settleFailed(context, reserved, last, failed));
}

function settled(payment: PaymentRecord): Opening {
  return { kind: 'settled', payment };
}

/**
 * The outcome of one try. `asked` is false when the gateway was not asked, or when no one knows whether it was, through a fault of ours.
 */
interface Tried {
  readonly outcome: Outcome<CheckoutSession>;
  readonly asked: boolean;
}

function remember(context: PaymentsContext, reserved: Reserved, result: AttemptResult, next: NewAttempt): Promise<boolean> {
  const { payment, timings } = reserved;
  return timed(timings, 'db', () => recordFallback(context.resources.database, payment.merchantId, result, next, context.now()));
}

async function tryAccount(
  context: PaymentsContext,
  reserved: Reserved,
  attempt: NewAttempt,
  tried: AccountCall[],
): Promise<Tried> {
  const { payment, caller, decision, deadline, timings } = reserved;
  const { accountId } = attempt;
  const known = context.resources.configuration.account(accountId);
  const reachable = known === undefined ? null : unlessUnavailable(() => context.resources.openAccount(known.account));
  if (reachable === null) return { outcome: notReachable(attempt), asked: false };
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
  try {
    const outcome = await timed(timings, 'gateway', () => reachable.gateway.open(reachable.access, order, { timeoutMs }));
    opened(outcome);
    const { merchantId, paymentId } = payment;
    context.health.observeAnswer({ merchantId, accountId, gateway: attempt.gateway, operation: 'open', paymentId }, outcome);
    tried.push({ account: reachable.account, outcome });
    return { outcome, asked: outcome.outcome === 'yes' || outcome.failure.code !== 'address_refused' };
  } catch (error) {
    context.onError(
      new OwnFaultError(`The connector of ${attempt.gateway} threw.`, { cause: error }),
      `opening ${attempt.reference}`,
    );
    opened(BROKEN);
    return { outcome: BROKEN, asked: false };
  }
}

/** A connector never throws; one that does has an error of ours in it, and the gateway may have been called before. */
const BROKEN = {
  outcome: 'unknown',
  failure: {
    class: 'our_configuration',
    code: 'connection_lost',
    message: 'An error of ours interrupted the opening of the checkout; it may be open without our having its address.',
  },
  call: { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null },
} as const satisfies Outcome<CheckoutSession>;

/** Between the decision and the call the account was deleted, or its stored credentials changed to what this process cannot open. */
function notReachable(attempt: NewAttempt): Outcome<CheckoutSession> {
  const message = `The account at ${attempt.gateway} can no longer be used by this process.`;
  return {
    outcome: 'no',
    failure: { class: 'our_configuration', code: 'invalid_credentials', message },
    call: { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null },
  };
}

/** The result of opening a checkout as its attempt records it. Only a certain refusal is one, and none of a gateway that was called before. */
export function describeResult(attempt: NewAttempt, outcome: Outcome<CheckoutSession>, calledBefore: boolean): AttemptResult {
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
