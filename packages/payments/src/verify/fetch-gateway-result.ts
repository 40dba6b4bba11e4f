import type { Attempt } from '@switchyard/db/client';
import type { Outcome, ReceivedPayment } from '@switchyard/gateways';
import { listAttempts } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { findPayment } from '../initiate/statements.ts';
import { applyPaymentChange } from '../life-cycle/apply-change.ts';
import { type Cause, judge } from '../life-cycle/apply-gateway-result.ts';
import { merchantOf } from '../life-cycle/merchant-of.ts';
import { type Timings, timed } from '../life-cycle/order.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';
import { watchedAttempts } from './watched-attempts.ts';

export interface Question {
  readonly payment: PaymentRecord;
  readonly attempt: Attempt;
  /** The gateway's own id of the transaction, where somebody told us one. A hint. */
  readonly transactionId: string | null;
  readonly cause: Cause;
  readonly timeoutMs: number;
}

const JUDGEMENTS_MAX = 5;
const asking = new Map<string, Promise<Told>>();

/** The payment as it stands after a question. */
export interface Told {
  readonly payment: PaymentRecord;
  /** False while the gateway could not be asked, or gave no usable answer. "Not paid yet" is one. */
  readonly answered: boolean;
}

/**
 * Asks the gateway about one attempt and applies what it proves. Questions about the same attempt at the same time are one
 * question.
 */
export function fetchGatewayResult(context: PaymentsContext, question: Question, timings: Timings): Promise<Told> {
  const key = `${question.attempt.id}|${question.transactionId ?? ''}`;
  const running = asking.get(key);
  if (running !== undefined) return running;
  const answer = ask(context, question, timings).finally(() => asking.delete(key));
  asking.set(key, answer);
  return answer;
}

async function ask(context: PaymentsContext, question: Question, timings: Timings): Promise<Told> {
  const outcome = await timed(timings, 'gateway', () => lookUp(context, question));
  if (outcome === null) return { payment: question.payment, answered: false };
  return { payment: await timed(timings, 'db', () => settle(context, question, outcome)), answered: isAnswer(outcome) };
}

/** What the gateway says of an attempt; nothing is changed by it. Null when its account cannot be reached any more. */
export async function lookUp(
  context: PaymentsContext,
  { payment, attempt, transactionId, timeoutMs }: Omit<Question, 'cause'>,
): Promise<Outcome<ReceivedPayment> | null> {
  const known = context.resources.configuration.account(attempt.accountId);
  const reachable = known === undefined ? null : context.resources.openAccount(known.account);
  if (reachable === null) return null;
  const query = {
    reference: attempt.reference,
    transactionId: transactionId ?? attempt.transactionId,
    amount: payment.amount,
    currency: payment.currency,
  };
  const outcome = await reachable.gateway.verify(reachable.access, query, { timeoutMs });
  void context.configurationFaults.learnFromLookup({ account: reachable.account, outcome });
  const where = { merchantId: payment.merchantId, accountId: attempt.accountId, method: payment.paymentMethod };
  context.health.observeLookup(where, outcome);
  return outcome;
}

/** Whether the gateway told us anything: that the customer has not paid yet is an answer, no answer is none. */
export function isAnswer(outcome: Outcome<ReceivedPayment>): boolean {
  return outcome.outcome !== 'unknown' || outcome.failure.class === 'customer';
}

/** Judges and applies; judges anew when the payment moved on meanwhile. */
async function settle(context: PaymentsContext, question: Question, outcome: Outcome<ReceivedPayment>): Promise<PaymentRecord> {
  const { database } = context.resources;
  const { merchantId, paymentId } = question.payment;
  const merchant = await merchantOf(context, merchantId);
  let { payment, attempt }: { payment: PaymentRecord; attempt: Attempt } = question;
  let attempts = outcome.outcome === 'yes' ? await listAttempts(database, merchantId, paymentId) : [];
  for (let round = 0; round < JUDGEMENTS_MAX; round++) {
    const now = context.now();
    const othersOpen = watchedAttempts(attempts).some(({ id }) => id !== attempt.id);
    const { cause } = question;
    const change = judge({ payment, attempt, merchant, othersOpen, outcome, cause, now, newId: context.newId });
    // What was read before the question may be old by now: somebody else's answer may have moved the payment meanwhile.
    if (change === null) return (await findPayment(database, merchantId, paymentId)) ?? payment;
    const applied = await applyPaymentChange(database, change, now);
    let current: PaymentRecord | undefined;
    [current, attempts] = await Promise.all([
      findPayment(database, merchantId, paymentId),
      listAttempts(database, merchantId, paymentId),
    ]);
    if (current === undefined) throw new Error(`payment ${paymentId} is gone`);
    if (applied === 'applied') learnEnd(context, payment, attempt, change.status);
    if (applied !== 'moved_on') return current;
    payment = current;
    attempt = attempts.find(({ id }) => id === attempt.id) ?? attempt;
  }
  throw new Error(`payment ${paymentId} changed ${JUDGEMENTS_MAX} times while one answer was being judged`);
}

/** How payments end at an account is what `success_rate` rules go by. */
function learnEnd(
  context: PaymentsContext,
  payment: PaymentRecord,
  { accountId }: Attempt,
  status: PaymentRecord['status'] | undefined,
): void {
  const where = { merchantId: payment.merchantId, accountId, method: payment.paymentMethod };
  if (status === 'SUCCESS') context.health.observeEnd(where, 'paid');
  if (status === 'FAILED') context.health.observeEnd(where, 'unpaid');
}
