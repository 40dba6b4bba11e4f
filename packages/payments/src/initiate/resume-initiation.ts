import type { Attempt } from '@switchyard/db/client';
import { listAttempts } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { findPaymentDecision } from '../decisions/queries.ts';
import { readStoredDecision } from '../decisions/stored-decision.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import type { Timings } from '../life-cycle/order.ts';
import type { AttemptResult, NewAttempt, PaymentRecord } from '../life-cycle/payment-record.ts';
import { isAnswer, lookUp, type Told } from '../verify/fetch-gateway-result.ts';
import { openCheckout } from './open-checkout.ts';
import { attemptAt } from './plan.ts';
import type { FailedAttempt, Reserved } from './reserved.ts';
import { settledByAnother, settleFailed } from './settle-initiation.ts';
import { recordFallback } from './statements.ts';

const ASK_MS = 8_000;

/** What is on record of an attempt whose process ended before the gateway's answer was. */
const INTERRUPTED = {
  class: 'our_configuration',
  code: 'connection_lost',
  message: 'We were interrupted while the checkout was being opened; it may be open without our having its address.',
} as const;

/**
 * Carries on a payment that was left INITIATED by a process that died. The gateway is asked by our reference what it knows: a
 * checkout it never heard of is opened after all, one that may be open somewhere is left on watch and the next planned gateway
 * tried. When the session's time is over no checkout is opened, and the payment fails once the gateway has answered. A last
 * gateway that gives no answer leaves it INITIATED. The caller holds the payment's lease.
 */
export async function resumeInitiation(
  context: PaymentsContext,
  payment: PaymentRecord,
  { cause, timings }: { cause: Cause; timings: Timings },
): Promise<Told> {
  const { database } = context.resources;
  const attempts = await listAttempts(database, payment.merchantId, payment.paymentId);
  const last = attempts.at(-1);
  const reserved = await readReserved(context, payment, { cause, timings });
  const failed = attempts.slice(0, -1).map(failureOf);
  if (last === undefined) return { payment: await openCheckout(context, { ...reserved, attempt: null }), answered: true };
  const outcome = await lookUp(context, { payment, attempt: last, transactionId: null, timeoutMs: ASK_MS });
  const answered = outcome !== null && isAnswer(outcome);
  if (context.now() >= payment.expiresAt) {
    if (!answered) return { payment, answered };
    const closing = [...failed, failureOf(last)];
    return { payment: await settleFailed(context, reserved, interrupted(last), closing, 'session_expired'), answered };
  }
  const mayReopen = outcome !== null && outcome.outcome !== 'yes' && canReopen.has(outcome.failure.code);
  if (mayReopen) {
    // Some gateways know of a checkout only once its customer acts: refusing to open it again says nothing of the first.
    const reopened = { ...reserved, attempt: toNewAttempt(last), calledBefore: true };
    return { payment: await openCheckout(context, reopened, failed), answered };
  }
  const next = attemptAt(context, payment.paymentId, reserved.decision.plan, last.position + 1);
  if (next === null) return answered ? giveUp(context, reserved, last, failed) : { payment, answered };
  const recorded = await recordFallback(database, payment.merchantId, interrupted(last), next, context.now());
  if (!recorded) return { payment: await settledByAnother(context, payment), answered };
  return { payment: await openCheckout(context, { ...reserved, attempt: next }, [...failed, failureOf(last)]), answered };
}

/** What a gateway says of a reference under which nobody has begun to pay: it may be opened, or opened anew. */
const canReopen: ReadonlySet<string> = new Set(['not_found', 'not_paid_yet']);

async function giveUp(
  context: PaymentsContext,
  reserved: Reserved,
  last: Attempt,
  failed: readonly FailedAttempt[],
): Promise<Told> {
  const all = [...failed, failureOf(last)];
  return { payment: await settleFailed(context, reserved, interrupted(last), all), answered: true };
}

async function readReserved(
  context: PaymentsContext,
  payment: PaymentRecord,
  { cause, timings }: { cause: Cause; timings: Timings },
): Promise<Reserved> {
  const { database, configuration } = context.resources;
  const { merchantId, paymentId, mode } = payment;
  const stored = await findPaymentDecision(database, [merchantId], paymentId);
  const decision = stored === null ? null : readStoredDecision(stored);
  const merchant = configuration.merchant(merchantId);
  if (decision === null || merchant === undefined) throw new Error(`the decision of payment ${paymentId} cannot be read`);
  const deadline = performance.now() + context.initiateBudgetMs;
  const caller = { configuration: merchant, mode };
  return { caller, payment, cause, decision, attempt: null, calledBefore: false, deadline, timings };
}

function failureOf({ gateway, accountId, state, failureCode, failureMessage }: Attempt): FailedAttempt {
  const failure = { code: failureCode ?? INTERRUPTED.code, message: failureMessage ?? INTERRUPTED.message };
  return { attempt: { gateway, accountId }, failure, uncertain: state !== 'REFUSED' };
}

function interrupted({ id }: Attempt): AttemptResult {
  return { attemptId: id, state: 'UNKNOWN', failure: INTERRUPTED, latencyMs: 0, call: null };
}

function toNewAttempt({ id, position, accountId, gateway, reference }: Attempt): NewAttempt {
  return { attemptId: id, position, accountId, gateway, reference };
}
