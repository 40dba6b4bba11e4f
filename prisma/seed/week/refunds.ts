import type { AttemptFact } from './attempts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './calendar.ts';
import { type PaymentHistory, paidAttempt, recordEvent } from './payment-history.ts';
import { moment, type Row } from './plan.ts';
import type { Random } from './random.ts';

const REASONS = [
  ...(['Returned unopened', 'Out of stock', 'Delivered too late', 'Customer changed their mind', 'Wrong item sent'] as const),
  'Order placed twice',
] as const;
const REFUNDED_SHARE = 0.017;
const PARTIAL_SHARE = 0.4;
/** Refunds that failed longer ago than this have been dismissed. */
const DISMISSED_AFTER_MS = 7 * DAY_MS;
const DISMISSAL = 'Paid back by bank transfer.';
const NO_FUNDS = 'Your balance is not enough to fulfil this request.';
const NO_BANK_DETAILS = "The gateway needs the customer's bank details.";
const WHY = { SUCCEEDED: null, FAILED: NO_FUNDS, NEEDS_ATTENTION: NO_BANK_DETAILS } as const;

export interface MoneyBack {
  readonly endsAt: number;
  readonly actor: string;
}

interface RefundFacts {
  readonly requestedAt: number;
  readonly doneAt: number;
  readonly amount: number;
  readonly state: 'SUCCEEDED' | 'FAILED' | 'NEEDS_ATTENTION';
  readonly reason: string;
  /** When staff dismissed a failed refund. */
  readonly dismissedAt?: number;
}

/** Occasional refunds of a payment, with their effects on it. */
export function refundSome(random: Random, history: PaymentHistory, { endsAt, actor }: MoneyBack): Row[] {
  const { receipt, status } = history.state;
  if (status !== 'SUCCESS' || receipt === null || !random.chance(REFUNDED_SHARE)) return [];
  const requestedAt = receipt.at + random.int(2 * HOUR_MS, 4 * DAY_MS);
  const doneAt = requestedAt + random.int(2 * MINUTE_MS, 26 * HOUR_MS);
  if (doneAt >= endsAt) return [];
  const partial = random.chance(PARTIAL_SHARE);
  const amount = partial ? Math.max(100, Math.round((history.amount * random.next()) / 100) * 100) : history.amount;
  const state = random.chance(0.06) ? 'FAILED' : 'SUCCEEDED';
  const facts = { requestedAt, doneAt, amount: Math.min(amount, history.amount), state, reason: random.pick(REASONS) } as const;
  const isDismissed = state === 'FAILED' && doneAt < endsAt - DISMISSED_AFTER_MS;
  return [recordRefund(random, history, isDismissed ? { ...facts, dismissedAt: doneAt + 20 * HOUR_MS } : facts, actor)];
}

/** A refund that needs attention. */
export function stuckRefund(random: Random, history: PaymentHistory, { endsAt, actor }: MoneyBack): Row[] {
  const requestedAt = endsAt - 27 * HOUR_MS;
  const facts = { requestedAt, doneAt: requestedAt + 3 * HOUR_MS, amount: history.amount, reason: REASONS[1] };
  return [recordRefund(random, history, { ...facts, state: 'NEEDS_ATTENTION' }, actor)];
}

const OUTCOMES = { SUCCEEDED: 'refund.succeeded', FAILED: 'refund.failed', NEEDS_ATTENTION: 'refund.needs_attention' } as const;

function recordRefund(random: Random, history: PaymentHistory, facts: RefundFacts, actor: string): Row {
  const { requestedAt, doneAt, amount, state, reason } = facts;
  const refundId = random.id(requestedAt);
  const paid = paidAttempt(history);
  if (paid === undefined) throw new Error('only money that came can go back');
  const { gateway } = paid.account.routable;
  const detail = { refundId, amount: String(amount), currency: 'NGN', gateway, reason, kind: 'ordinary' };
  recordEvent(random, history, { at: requestedAt, type: 'refund.requested', to: null, cause: 'staff', detail, actor });
  if (state === 'SUCCEEDED') history.state.refunded += amount;
  recordEvent(random, history, { at: doneAt, type: OUTCOMES[state], to: null, cause: 'schedule', detail });
  if (state === 'SUCCEEDED' && amount === history.amount) {
    recordEvent(random, history, { at: doneAt, type: 'payment.refunded', to: 'REFUNDED', cause: 'schedule', detail });
  }
  if (facts.dismissedAt !== undefined) {
    const dismissal = { refundId, amount: String(amount), currency: 'NGN', gateway, note: DISMISSAL };
    recordEvent(random, history, {
      at: facts.dismissedAt,
      type: 'refund.dismissed',
      to: null,
      cause: 'staff',
      detail: dismissal,
      actor,
    });
  }
  return refundRow(random, history, facts, { attempt: paid, refundId, actor });
}

function refundRow(
  random: Random,
  history: PaymentHistory,
  { requestedAt, doneAt, amount, state, reason, dismissedAt }: RefundFacts,
  { attempt, refundId, actor }: { readonly attempt: AttemptFact; readonly refundId: string; readonly actor: string },
): Row {
  const { accountId, gateway } = attempt.account.routable;
  // Checked again until staff complete it at the gateway.
  const needsAttention = state === 'NEEDS_ATTENTION';
  return {
    merchant_id: history.merchant.merchantId,
    id: refundId,
    mode: 'test',
    payment_id: history.paymentId,
    attempt_id: attempt.attemptId,
    account_id: accountId,
    gateway,
    transaction_id: attempt.transactionId ?? '',
    amount,
    currency: 'NGN',
    state,
    reason,
    reference: `rf-${refundId}`,
    gateway_refund_id: state === 'FAILED' ? null : random.text(8, '123456789'),
    requested_by: actor,
    duplicate: attempt.duplicate,
    mismatched: false,
    failure_message: WHY[state],
    sent_at: moment(requestedAt + 900),
    send_count: 1,
    check_count: 2,
    version: 3,
    next_check_at: needsAttention ? moment(doneAt + 6 * HOUR_MS) : null,
    note: dismissedAt === undefined ? null : DISMISSAL,
    resolved_by: dismissedAt === undefined ? null : actor,
    resolved_at: dismissedAt === undefined ? null : moment(dismissedAt),
    created_at: moment(requestedAt),
    updated_at: moment(dismissedAt ?? doneAt),
  };
}

/** Whether the first gateway timed out and the second was paid: then the first can be paid as well. */
export function canBeChargedTwice({ attempts }: PaymentHistory): boolean {
  return attempts.length === 2 && attempts[0]?.state === 'UNKNOWN' && attempts[1]?.state === 'PAID';
}

/** Adds a payment at the first gateway; the duplicate charge is open, or refunded. */
export function chargeTwice(
  random: Random,
  history: PaymentHistory,
  { at, refundedBy }: { readonly at: number; readonly refundedBy: string | null },
): { readonly charge: Row; readonly refunds: readonly Row[] } {
  const [attempt] = history.attempts;
  if (attempt === undefined || !canBeChargedTwice(history)) throw new Error('this payment cannot be paid a second time');
  const { gateway, accountId } = attempt.account.routable;
  const chargeId = random.id(at);
  const transactionId = random.text(10, '123456789');
  Object.assign(attempt, {
    state: 'PAID',
    duplicate: true,
    transactionId,
    received: history.amount,
    lastAskedAt: at,
    updatedAt: at,
  });
  const detail = { attemptId: attempt.attemptId, amount: String(history.amount), currency: 'NGN', transactionId, gateway };
  recordEvent(random, history, { at, type: 'payment.duplicate_charge', to: null, cause: 'gateway_webhook', detail });
  const refunds: Row[] = [];
  const facts = { requestedAt: at + 2 * HOUR_MS, doneAt: at + 9 * HOUR_MS, amount: history.amount, reason: 'Charged twice' };
  if (refundedBy !== null) {
    const refundId = random.id(facts.requestedAt);
    const ask = { ...detail, refundId, reason: facts.reason, kind: 'duplicate' };
    recordEvent(random, history, {
      at: facts.requestedAt,
      type: 'refund.requested',
      to: null,
      cause: 'staff',
      detail: ask,
      actor: refundedBy,
    });
    recordEvent(random, history, { at: facts.doneAt, type: 'refund.succeeded', to: null, cause: 'schedule', detail: ask });
    refunds.push(refundRow(random, history, { ...facts, state: 'SUCCEEDED' }, { attempt, refundId, actor: refundedBy }));
  }
  const charge = {
    merchant_id: history.merchant.merchantId,
    id: chargeId,
    mode: 'test',
    payment_id: history.paymentId,
    attempt_id: attempt.attemptId,
    account_id: accountId,
    gateway,
    reference: attempt.reference,
    transaction_id: transactionId,
    amount: history.amount,
    currency: 'NGN',
    state: refundedBy === null ? 'OPEN' : 'REFUNDED',
    refund_id: refunds[0]?.id ?? null,
    note: null,
    resolved_by: refundedBy,
    resolved_at: refundedBy === null ? null : moment(facts.doneAt),
    created_at: moment(at),
    updated_at: moment(refundedBy === null ? at : facts.doneAt),
  };
  return { charge, refunds };
}
