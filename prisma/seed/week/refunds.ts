import type { Attempt } from './attempts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './calendar.ts';
import { type PaymentHistory, paidAttempt, recordEvent, type Simulation } from './history.ts';
import type { Row } from './plan.ts';

const REASONS = [
  'Returned unopened',
  'Out of stock',
  'Delivered too late',
  'Customer changed their mind',
  'Wrong item sent',
  'Order placed twice',
] as const;
const REFUNDED_SHARE = 0.017;
const PARTIAL_SHARE = 0.4;
const FAILED_SHARE = 0.06;
/** Refunds that failed longer ago than this have been dismissed. */
const DISMISSED_AFTER_MS = 7 * DAY_MS;
const DISMISSAL = 'Paid back by bank transfer.';
const NONZERO_DIGITS = '123456789';

const OUTCOMES = {
  SUCCEEDED: { event: 'refund.succeeded', failure: null },
  FAILED: { event: 'refund.failed', failure: 'Your balance is not enough to fulfil this request.' },
  NEEDS_ATTENTION: { event: 'refund.needs_attention', failure: "The gateway needs the customer's bank details." },
} as const;

interface RefundFacts {
  readonly requestedAt: number;
  readonly doneAt: number;
  readonly amount: number;
  readonly state: keyof typeof OUTCOMES;
  readonly reason: string;
}

/** Occasional refunds of a payment, with their effects on it. */
export function refundSome(simulation: Simulation, history: PaymentHistory): Row[] {
  const { random, plan } = simulation;
  const { payment } = history;
  if (payment.status !== 'SUCCESS' || payment.paidAt === null || !random.chance(REFUNDED_SHARE)) return [];
  const requestedAt = payment.paidAt + random.int(2 * HOUR_MS, 4 * DAY_MS);
  const doneAt = requestedAt + random.int(2 * MINUTE_MS, 26 * HOUR_MS);
  if (doneAt >= plan.endsAt) return [];
  const part = random.chance(PARTIAL_SHARE) ? Math.round((payment.amount * random.next()) / 100) * 100 : payment.amount;
  const amount = Math.min(Math.max(100, part), payment.amount);
  const state = random.chance(FAILED_SHARE) ? 'FAILED' : 'SUCCEEDED';
  return [refund(simulation, history, { requestedAt, doneAt, amount, state, reason: random.pick(REASONS) })];
}

/** A refund of the last day that staff have to deal with: it failed, or the gateway waits for something. */
export function openRefund(simulation: Simulation, history: PaymentHistory, state: 'FAILED' | 'NEEDS_ATTENTION'): Row {
  const requestedAt = simulation.plan.endsAt - 27 * HOUR_MS;
  const doneAt = requestedAt + 3 * HOUR_MS;
  return refund(simulation, history, { requestedAt, doneAt, amount: history.payment.amount, state, reason: REASONS[1] });
}

/** Refunds an attempt's money, the payment's own unless another is given: its events, its effect on the payment, and its row. */
function refund(simulation: Simulation, history: PaymentHistory, facts: RefundFacts, attempt = paidAttempt(history)): Row {
  const { random, plan } = simulation;
  const { requestedAt, doneAt, amount, state, reason } = facts;
  if (attempt === undefined) throw new Error('only money that came can go back');
  const { gateway, duplicate } = attempt.row;
  const refundId = random.id(requestedAt);
  const money = { refundId, amount: String(amount), currency: 'NGN', gateway };
  const detail = { ...money, reason, kind: duplicate ? 'duplicate' : 'own' };
  recordEvent(random, history, { at: requestedAt, type: 'refund.requested', cause: 'staff', detail, actor: plan.actor });
  const { event: type, failure: failureMessage } = OUTCOMES[state];
  const times = { createdAt: new Date(requestedAt), updatedAt: new Date(doneAt) };
  const ended = { id: refundId, amount: BigInt(amount), currency: 'NGN', state, reason, failureMessage, ...times };
  recordEvent(random, history, { at: doneAt, type, cause: 'schedule', detail, refund: ended });
  if (state === 'SUCCEEDED' && !duplicate) {
    history.payment.refundedAmount += amount;
    if (amount === history.payment.amount) {
      recordEvent(random, history, { at: doneAt, type: 'payment.refunded', to: 'REFUNDED', cause: 'schedule', detail });
    }
  }
  const row = refundRow(simulation, history, attempt, refundId, facts);
  if (state !== 'FAILED' || doneAt >= plan.endsAt - DISMISSED_AFTER_MS) return row;
  const at = doneAt + 20 * HOUR_MS;
  const dismissal = { ...money, note: DISMISSAL };
  recordEvent(random, history, { at, type: 'refund.dismissed', cause: 'staff', detail: dismissal, actor: plan.actor });
  return { ...row, note: DISMISSAL, resolvedBy: plan.actor, resolvedAt: at, updatedAt: at };
}

function refundRow(
  { random, plan }: Simulation,
  history: PaymentHistory,
  attempt: Attempt,
  refundId: string,
  { requestedAt, doneAt, amount, state, reason }: RefundFacts,
): Row {
  return {
    ...attemptKey(history, attempt),
    id: refundId,
    transactionId: attempt.row.transactionId,
    amount,
    currency: 'NGN',
    state,
    reason,
    reference: `rf-${refundId}`,
    gatewayRefundId: state === 'FAILED' ? null : random.text(8, NONZERO_DIGITS),
    requestedBy: plan.actor,
    duplicate: attempt.row.duplicate,
    failureMessage: OUTCOMES[state].failure,
    sentAt: requestedAt + 900,
    sendCount: 1,
    version: 3,
    // Checked again until staff complete it at the gateway.
    nextCheckAt: state === 'NEEDS_ATTENTION' ? doneAt + 6 * HOUR_MS : null,
    note: null,
    resolvedBy: null,
    resolvedAt: null,
    createdAt: requestedAt,
    updatedAt: doneAt,
  };
}

/** The columns that name an attempt. */
function attemptKey({ merchant, payment }: PaymentHistory, { row: { id: attemptId, accountId, gateway } }: Attempt): Row {
  return { merchantId: merchant.merchantId, mode: 'test', paymentId: payment.id, attemptId, accountId, gateway };
}

/** True if the first gateway timed out and the second was paid: then the first can be paid as well. */
export function canBeChargedTwice({ attempts }: PaymentHistory): boolean {
  return attempts.length === 2 && attempts[0]?.row.state === 'UNKNOWN' && attempts[1]?.row.state === 'PAID';
}

/** Adds a payment at the first gateway; the duplicate charge is open, or staff refunded it. */
export function chargeTwice(
  simulation: Simulation,
  history: PaymentHistory,
  isRefunded: boolean,
): { readonly charge: Row; readonly refunds: readonly Row[] } {
  const { random, plan } = simulation;
  const { amount, updatedAt } = history.payment;
  const [attempt] = history.attempts;
  if (attempt === undefined || !canBeChargedTwice(history)) throw new Error('this payment cannot be paid a second time');
  const at = updatedAt + 6 * MINUTE_MS;
  const chargeId = random.id(at);
  const transactionId = random.text(10, NONZERO_DIGITS);
  const received = { receivedAmount: amount, receivedCurrency: 'NGN', lastAskedAt: at, updatedAt: at };
  Object.assign(attempt.row, { state: 'PAID', duplicate: true, transactionId, ...received });
  const { id: attemptId, gateway, reference } = attempt.row;
  const detail = { attemptId, amount: String(amount), currency: 'NGN', transactionId, gateway };
  recordEvent(random, history, { at, type: 'payment.duplicate_charge', cause: 'gateway_webhook', detail });
  const charge = {
    ...attemptKey(history, attempt),
    id: chargeId,
    reference,
    transactionId,
    amount,
    currency: 'NGN',
    state: 'OPEN',
    refundId: null,
    resolvedBy: null,
    resolvedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  if (!isRefunded) return { charge, refunds: [] };
  const facts = {
    requestedAt: at + 2 * HOUR_MS,
    doneAt: at + 9 * HOUR_MS,
    amount,
    state: 'SUCCEEDED',
    reason: 'Charged twice',
  } as const;
  const refunded = refund(simulation, history, facts, attempt);
  const resolved = { refundId: refunded.id, resolvedBy: plan.actor, resolvedAt: facts.doneAt, updatedAt: facts.doneAt };
  return { charge: { ...charge, state: 'REFUNDED', ...resolved }, refunds: [refunded] };
}
