import { aboutPayment, UnavailableError } from '@switchyard/db';
import type { Cause } from '../../record/apply-gateway-result.ts';
import { findAttempt, listAttempts } from '../../record/attempt-queries.ts';
import type { PaymentsContext } from '../../record/context.ts';
import { fetchGatewayResult } from '../../record/fetch-gateway-result.ts';
import { findPayment } from '../../record/find-payment.ts';
import { type Caller, type Timings, timed } from '../../record/order.ts';
import type { AttemptRecord, PaymentRecord } from '../../record/payment-record.ts';
import { readPayment } from '../../record/statements.ts';

const LOOKUP_TIMEOUT_MS = 10_000;

/**
 * How to look up: the gateway's transaction id if known, what caused the lookup, and the timeout of each call, 10 s unless
 * given.
 */
export interface VerifyOptions {
  readonly transactionId: string | null;
  readonly cause: Cause;
  readonly timeoutMs?: number;
}

/** A payment whose look-up was requested. */
export interface Verification {
  readonly payment: PaymentRecord;
  /** False when gateways were asked and none gave a usable answer: the payment is as it was last known. */
  readonly isCurrent: boolean;
}

/**
 * A payment after a lookup at its gateway, where that can change anything; SUCCESS and REFUNDED are answered from the record.
 * Undefined where {@link findPayment} is. Without a gateway answer the payment is unchanged. Throws `UnavailableError` when no gateway
 * could be asked through a fault of ours: then nothing is known of the payment's present state.
 */
export async function verify(
  context: PaymentsContext,
  caller: Caller,
  paymentId: string,
  options: VerifyOptions,
  timings: Timings,
): Promise<Verification | undefined> {
  const found = await findPayment(context, caller, paymentId, timings);
  if (found === undefined) return undefined;
  const { payment, lookups, answered } = await verifyAttempts(context, found, options, timings);
  return { payment, isCurrent: answered || lookups === 0 };
}

/** {@link verify} for a payment that has been read. */
export async function verifyPayment(
  context: PaymentsContext,
  payment: PaymentRecord,
  options: VerifyOptions,
  timings: Timings,
): Promise<PaymentRecord> {
  return (await verifyAttempts(context, payment, options, timings)).payment;
}

/**
 * {@link verifyPayment}, with the number of lookups and whether any gateway gave a usable answer. Throws `UnavailableError` when a fault of
 * ours kept a gateway from being asked and no other one says that the payment was paid.
 */
export async function verifyAttempts(
  context: PaymentsContext,
  payment: PaymentRecord,
  { transactionId, cause, timeoutMs = LOOKUP_TIMEOUT_MS }: VerifyOptions,
  timings: Timings,
): Promise<{ readonly payment: PaymentRecord; readonly lookups: number; readonly answered: boolean }> {
  const settled = payment.status === 'SUCCESS' || payment.status === 'REFUNDED' || payment.status === 'INITIATED';
  if (settled) return { payment, lookups: 0, answered: false };
  const { database } = context.resources;
  const attempts = await timed(timings, 'db', () => listAttempts(database, payment.merchantId, payment.paymentId));
  let current = payment;
  let lookups = 0;
  let answered = false;
  let notAsked: string | null = null;
  for (const attempt of attemptsToVerify(payment, attempts)) {
    const isCurrent = attempt.id === payment.currentAttemptId;
    const lookup = { payment: current, attempt, transactionId: isCurrent ? transactionId : null, cause, timeoutMs };
    const verified = await fetchGatewayResult(context, lookup, timings);
    current = verified.payment;
    lookups += 1;
    answered ||= verified.answered;
    if (current.status === 'SUCCESS') return { payment: current, lookups, answered };
    const { unanswered } = verified;
    if (unanswered?.code === 'not_asked' || unanswered?.code === 'address_refused') notAsked ??= unanswered.message;
  }
  if (notAsked !== null) throw new UnavailableError(notAsked);
  return { payment: current, lookups, answered };
}

/** The attempt whose checkout the customer has; without one, attempts that may have opened a checkout without an answer. */
function attemptsToVerify(payment: PaymentRecord, attempts: readonly AttemptRecord[]): AttemptRecord[] {
  const current = attempts.filter(({ id }) => id === payment.currentAttemptId);
  return current.length > 0 ? current : attempts.filter(({ state }) => state === 'UNKNOWN');
}

/**
 * Verifies one attempt at its gateway, as its recorded state may be out of date. Throws without an answer, so that the job is retried.
 */
export async function verifyAttempt(
  context: PaymentsContext,
  about: { readonly merchantId: string; readonly attemptId: string; readonly transactionId: string | null },
): Promise<void> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, about.merchantId, about.attemptId);
  if (attempt === null) return;
  aboutPayment({ merchantId: about.merchantId, paymentId: attempt.paymentId });
  const payment = await readPayment(database, about.merchantId, attempt.paymentId);
  if (payment === undefined) return;
  if (payment.status === 'INITIATED') throw new Error(`payment ${payment.paymentId} is still being initiated`);
  const { transactionId } = about;
  const lookup = { payment, attempt, transactionId, cause: 'schedule', timeoutMs: LOOKUP_TIMEOUT_MS } as const;
  const { answered } = await fetchGatewayResult(context, lookup, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
}
