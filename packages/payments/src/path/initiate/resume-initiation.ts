import type { Cause } from '../../record/apply-gateway-result.ts';
import { listAttempts } from '../../record/attempt-queries.ts';
import type { PaymentsContext } from '../../record/context.ts';
import { findPaymentDecision, readStoredDecision } from '../../record/decisions/stored-decision.ts';
import { isAnswer, lookUpAttempt, type VerifiedPayment } from '../../record/fetch-gateway-result.ts';
import { retryAt } from '../../record/next-check.ts';
import type { Timings } from '../../record/order.ts';
import type { AttemptRecord, AttemptResult, NewAttempt, PaymentRecord } from '../../record/payment-record.ts';
import { attemptAt } from '../../record/plan.ts';
import { readPayment, recordFallback } from '../../record/statements.ts';
import { claimDuePayment, scheduleNextCheck } from '../sweeping/queries.ts';
import { openCheckout } from './open-checkout.ts';
import type { FailedAttempt, Reserved } from './reserved.ts';
import { settledByAnother, settleFailed } from './settle-initiation.ts';

/** Most milliseconds that the look-up of an interrupted attempt takes. */
export const LOOKUP_TIMEOUT_MS = 8_000;

/** How long a payment is leased that a request takes over. */
const LEASE_MS = 60_000;

/** Recorded for an attempt whose process ended before the gateway answered. */
const INTERRUPTED = {
  class: 'our_configuration',
  code: 'connection_lost',
  message: 'We were interrupted while the checkout was being opened; it may be open without our having its address.',
} as const;

/**
 * Resumes a payment that a crashed process left INITIATED. The last attempt is looked up at its gateway by our reference: a checkout
 * that the gateway does not have is opened after all; one that may be open stays watched and the next planned gateway is tried. An
 * expired session opens no checkout, and the payment fails once the gateway has answered. Without an answer from the last gateway it
 * stays INITIATED. The caller has leased the payment.
 */
export async function resumeInitiation(
  context: PaymentsContext,
  payment: PaymentRecord,
  { cause, timings }: { cause: Cause; timings: Timings },
): Promise<VerifiedPayment> {
  const { database } = context.resources;
  const attempts = await listAttempts(database, payment.merchantId, payment.paymentId);
  const last = attempts.at(-1);
  const reserved = await readReserved(context, payment, { cause, timings });
  const failed = attempts.slice(0, -1).map(failureOf);
  if (last === undefined)
    return { payment: (await openCheckout(context, { ...reserved, attempt: null })).payment, answered: true };
  const { outcome } = await lookUpAttempt(context, { payment, attempt: last, transactionId: null, timeoutMs: LOOKUP_TIMEOUT_MS });
  const answered = outcome !== null && isAnswer(outcome);
  if (context.now() >= payment.expiresAt) {
    if (!answered) return { payment, answered };
    const closing = [...failed, failureOf(last)];
    return { payment: await settleFailed(context, reserved, interrupted(last), closing, 'session_expired'), answered };
  }
  const mayReopen = outcome !== null && outcome.outcome !== 'yes' && canReopen.has(outcome.failure.code);
  if (mayReopen) {
    // Some gateways list a checkout only after the customer acts, so a refusal to reopen it does not prove that the first failed.
    const reopened = { ...reserved, attempt: toNewAttempt(last), calledBefore: true };
    return { payment: (await openCheckout(context, reopened, failed)).payment, answered };
  }
  const next = attemptAt(context, payment.paymentId, reserved.decision.plan, last.position + 1);
  if (next === null) return answered ? failWithoutCheckout(context, reserved, last, failed) : { payment, answered };
  const recorded = await recordFallback(database, payment.merchantId, interrupted(last), next, context.now());
  if (!recorded) return { payment: await settledByAnother(context, payment), answered };
  const opening = await openCheckout(context, { ...reserved, attempt: next }, [...failed, failureOf(last)]);
  return { payment: opening.payment, answered };
}

/** Lookup failures that mean no payment was begun under the reference: the checkout may be opened, or reopened. */
const canReopen: ReadonlySet<string> = new Set(['not_found', 'not_paid_yet']);

async function failWithoutCheckout(
  context: PaymentsContext,
  reserved: Reserved,
  last: AttemptRecord,
  failed: readonly FailedAttempt[],
): Promise<VerifiedPayment> {
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
  const decision = stored === null ? null : await readStoredDecision(database, stored);
  const merchant = configuration.merchant(merchantId);
  if (decision === null || merchant === undefined) throw new Error(`the decision of payment ${paymentId} cannot be read`);
  const deadline = performance.now() + context.initiateBudgetMs;
  const caller = { configuration: merchant, mode };
  return {
    caller,
    payment,
    cause,
    decision,
    inputs: stored?.inputs ?? null,
    attempt: null,
    calledBefore: false,
    deadline,
    timings,
  };
}

function failureOf({ gateway, accountId, state, failureCode, failureMessage }: AttemptRecord): FailedAttempt {
  const failure = { code: failureCode ?? INTERRUPTED.code, message: failureMessage ?? INTERRUPTED.message };
  return { attempt: { gateway, accountId }, failure, uncertain: state !== 'REFUSED', asked: failure.code !== 'address_refused' };
}

function interrupted({ id }: AttemptRecord): AttemptResult {
  return { attemptId: id, state: 'UNKNOWN', failure: INTERRUPTED, latencyMs: 0, call: null };
}

function toNewAttempt({ id, position, accountId, gateway, reference }: AttemptRecord): NewAttempt {
  return { attemptId: id, position, accountId, gateway, reference };
}

/**
 * Resumes an INITIATED payment whose first request never answered, when the merchant sends it again. Returns the payment, unchanged
 * while the first request may still be running or another process resumes it. `abandoned` says that the first request's process has
 * ended: the payment is then resumed at once, unless another process resumes it already.
 */
export async function takeOverInitiation(
  context: PaymentsContext,
  payment: PaymentRecord,
  { abandoned, timings }: { readonly abandoned: boolean; readonly timings: Timings },
): Promise<PaymentRecord> {
  const { database } = context.resources;
  const due = await claimDuePayment(database, payment, { now: context.now(), leaseMs: LEASE_MS, abandoned });
  if (due === null) return (await readPayment(database, payment.merchantId, payment.paymentId)) ?? payment;
  const resumed = await resumeInitiation(context, payment, { cause: 'api', timings });
  const now = context.now();
  const nextCheckAt = retryAt({ now, unanswered: due.checkCount, random: context.random() });
  await scheduleNextCheck(database, { due, nextCheckAt, now });
  return resumed.payment;
}
