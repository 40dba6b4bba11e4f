import { aboutPayment, isUuid, UnavailableError } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { PaymentStatus } from '@switchyard/db/client';
import type { Cause } from '../../record/apply-gateway-result.ts';
import { findAttempt, listAttempts } from '../../record/attempt-queries.ts';
import type { PaymentsContext } from '../../record/context.ts';
import { fetchGatewayResult } from '../../record/fetch-gateway-result.ts';
import { findPayment } from '../../record/find-payment.ts';
import { type Caller, type Timings, timed } from '../../record/order.ts';
import { findPaymentAmong } from '../../record/payment-notes.ts';
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

/** A staff user's request to look up a payment at its gateway at once. */
export interface VerifyNowCommand {
  /** Merchants for which the actor has the permission. */
  readonly merchantIds: readonly string[];
  readonly paymentId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** The payment's status before and after the lookup, or why there was none. */
export type VerifyNowOutcome =
  | {
      readonly kind: 'verified';
      readonly before: PaymentStatus;
      readonly after: PaymentStatus;
      /** False while no gateway gave a usable answer. */
      readonly answered: boolean;
      /** Money that does not match the order awaits review. */
      readonly underReview: boolean;
    }
  /** No gateway result can change it, or there is no checkout to look up. */
  | { readonly kind: 'settled'; readonly status: PaymentStatus }
  | { readonly kind: 'not_found' };

/** Verifies a payment at its gateway at once, for staff, and returns the result. */
export async function verifyNow(
  context: PaymentsContext,
  { merchantIds, paymentId, actor }: VerifyNowCommand,
  timings: Timings,
): Promise<VerifyNowOutcome> {
  const payment = isUuid(paymentId) ? await findPaymentAmong(context, merchantIds, paymentId) : null;
  if (payment === null) return { kind: 'not_found' };
  const verified = await verifyAttempts(context, payment, { transactionId: null, cause: 'staff' }, timings);
  if (verified.lookups === 0) return { kind: 'settled', status: payment.status };
  const { status: after, review } = verified.payment;
  const outcome = { before: payment.status, after, answered: verified.answered };
  const object = { objectType: 'payment', objectId: paymentId, before: null, after: outcome };
  const entry = { tenantId: payment.merchantId, entryId: context.newId(), actor, action: 'payment.verified', ...object };
  await context.resources.database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, entry, context.now()),
  );
  return { kind: 'verified', ...outcome, underReview: review === 'OPEN' };
}
