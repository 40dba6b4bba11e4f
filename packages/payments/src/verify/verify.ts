import type { Attempt } from '@switchyard/db/client';
import { listAttempts } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import { find } from '../life-cycle/find-payment.ts';
import { type Caller, type Timings, timed } from '../life-cycle/order.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';
import { fetchGatewayResult } from './fetch-gateway-result.ts';

const ASK_MS = 10_000;

export interface VerifyOptions {
  readonly transactionId: string | null;
  readonly cause: Cause;
  readonly timeoutMs?: number;
}

/**
 * A payment's standing, after asking its gateway where that can change anything. A payment that has succeeded or was refunded is
 * answered from the record. Undefined where {@link find} is. A gateway that gives no answer leaves the payment as it was.
 */
export async function verify(
  context: PaymentsContext,
  caller: Caller,
  paymentId: string,
  options: VerifyOptions,
  timings: Timings,
): Promise<PaymentRecord | undefined> {
  const payment = await find(context, caller, paymentId, timings);
  if (payment === undefined) return undefined;
  return verifyPayment(context, payment, options, timings);
}

/** {@link verify} for a payment already at hand. */
export async function verifyPayment(
  context: PaymentsContext,
  payment: PaymentRecord,
  options: VerifyOptions,
  timings: Timings,
): Promise<PaymentRecord> {
  return (await askAbout(context, payment, options, timings)).payment;
}

/** {@link verifyPayment}, telling how many attempts were asked about and whether any gateway gave a usable answer. */
export async function askAbout(
  context: PaymentsContext,
  payment: PaymentRecord,
  { transactionId, cause, timeoutMs = ASK_MS }: VerifyOptions,
  timings: Timings,
): Promise<{ readonly payment: PaymentRecord; readonly questions: number; readonly answered: boolean }> {
  const settled = payment.status === 'SUCCESS' || payment.status === 'REFUNDED' || payment.status === 'INITIATED';
  if (settled) return { payment, questions: 0, answered: false };
  const { database } = context.resources;
  const attempts = await timed(timings, 'db', () => listAttempts(database, payment.merchantId, payment.paymentId));
  let [current, questions, answered] = [payment, 0, false];
  for (const attempt of worthAsking(payment, attempts)) {
    const isCurrent = attempt.id === payment.currentAttemptId;
    const question = { payment: current, attempt, transactionId: isCurrent ? transactionId : null, cause, timeoutMs };
    const told = await fetchGatewayResult(context, question, timings);
    current = told.payment;
    questions += 1;
    answered ||= told.answered;
    if (current.status === 'SUCCESS') break;
  }
  return { payment: current, questions, answered };
}

/** The attempt the customer was sent to; where there is none, those that may have opened a checkout without our knowing. */
function worthAsking(payment: PaymentRecord, attempts: readonly Attempt[]): Attempt[] {
  const current = attempts.filter(({ id }) => id === payment.currentAttemptId);
  return current.length > 0 ? current : attempts.filter(({ state }) => state === 'UNKNOWN');
}
