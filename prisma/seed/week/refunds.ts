import type { AttemptFact } from './attempts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './calendar.ts';
import { moment, type Row } from './plan.ts';
import type { Random } from './random.ts';
import { happen, paidAttempt, type Story } from './story.ts';

const REASONS = [
  ...(['Returned unopened', 'Out of stock', 'Delivered too late', 'Customer changed their mind', 'Wrong item sent'] as const),
  'Order placed twice',
] as const;
const REFUNDED_SHARE = 0.017;
const PARTIAL_SHARE = 0.4;
/** Those that failed longer ago have been dealt with. */
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
  /** When somebody dismissed one that failed. */
  readonly dismissedAt?: number;
}

/** Refunds of a payment's money, now and then, and what they do to it. */
export function refundSome(random: Random, story: Story, { endsAt, actor }: MoneyBack): Row[] {
  const { receipt, status } = story.state;
  if (status !== 'SUCCESS' || receipt === null || !random.chance(REFUNDED_SHARE)) return [];
  const requestedAt = receipt.at + random.int(2 * HOUR_MS, 4 * DAY_MS);
  const doneAt = requestedAt + random.int(2 * MINUTE_MS, 26 * HOUR_MS);
  if (doneAt >= endsAt) return [];
  const partial = random.chance(PARTIAL_SHARE);
  const amount = partial ? Math.max(100, Math.round((story.amount * random.next()) / 100) * 100) : story.amount;
  const state = random.chance(0.06) ? 'FAILED' : 'SUCCEEDED';
  const facts = { requestedAt, doneAt, amount: Math.min(amount, story.amount), state, reason: random.pick(REASONS) } as const;
  const isDismissed = state === 'FAILED' && doneAt < endsAt - DISMISSED_AFTER_MS;
  return [tellRefund(random, story, isDismissed ? { ...facts, dismissedAt: doneAt + 20 * HOUR_MS } : facts, actor)];
}

/** One that stands still, and waits for somebody. */
export function stuckRefund(random: Random, story: Story, { endsAt, actor }: MoneyBack): Row[] {
  const requestedAt = endsAt - 27 * HOUR_MS;
  const facts = { requestedAt, doneAt: requestedAt + 3 * HOUR_MS, amount: story.amount, reason: REASONS[1] };
  return [tellRefund(random, story, { ...facts, state: 'NEEDS_ATTENTION' }, actor)];
}

const OUTCOMES = { SUCCEEDED: 'refund.succeeded', FAILED: 'refund.failed', NEEDS_ATTENTION: 'refund.needs_attention' } as const;

function tellRefund(random: Random, story: Story, facts: RefundFacts, actor: string): Row {
  const { requestedAt, doneAt, amount, state, reason } = facts;
  const refundId = random.id(requestedAt);
  const paid = paidAttempt(story);
  if (paid === undefined) throw new Error('only money that came can go back');
  const { gateway } = paid.account.routable;
  const detail = { refundId, amount: String(amount), currency: 'NGN', gateway, reason, kind: 'ordinary' };
  happen(random, story, { at: requestedAt, type: 'refund.requested', to: null, cause: 'staff', detail, actor });
  if (state === 'SUCCEEDED') story.state.refunded += amount;
  happen(random, story, { at: doneAt, type: OUTCOMES[state], to: null, cause: 'schedule', detail });
  if (state === 'SUCCEEDED' && amount === story.amount) {
    happen(random, story, { at: doneAt, type: 'payment.refunded', to: 'REFUNDED', cause: 'schedule', detail });
  }
  if (facts.dismissedAt !== undefined) {
    const dismissal = { refundId, amount: String(amount), currency: 'NGN', gateway, note: DISMISSAL };
    happen(random, story, {
      at: facts.dismissedAt,
      type: 'refund.dismissed',
      to: null,
      cause: 'staff',
      detail: dismissal,
      actor,
    });
  }
  return refundRow(random, story, facts, { attempt: paid, refundId, actor });
}

function refundRow(
  random: Random,
  story: Story,
  { requestedAt, doneAt, amount, state, reason, dismissedAt }: RefundFacts,
  { attempt, refundId, actor }: { readonly attempt: AttemptFact; readonly refundId: string; readonly actor: string },
): Row {
  const { accountId, gateway } = attempt.account.routable;
  // Still asked about: the gateway holds it until somebody helps.
  const stands = state === 'NEEDS_ATTENTION';
  return {
    merchant_id: story.merchant.merchantId,
    id: refundId,
    mode: 'test',
    payment_id: story.paymentId,
    attempt_id: attempt.attemptId,
    account_id: accountId,
    gateway,
    transaction_id: attempt.transactionId ?? '',
    ...{ amount, currency: 'NGN', state, reason, reference: `rf-${refundId}` },
    gateway_refund_id: state === 'FAILED' ? null : random.text(8, '123456789'),
    requested_by: actor,
    duplicate: attempt.duplicate,
    mismatched: false,
    failure_message: WHY[state],
    sent_at: moment(requestedAt + 900),
    send_count: 1,
    check_count: 2,
    version: 3,
    next_check_at: stands ? moment(doneAt + 6 * HOUR_MS) : null,
    note: dismissedAt === undefined ? null : DISMISSAL,
    resolved_by: dismissedAt === undefined ? null : actor,
    resolved_at: dismissedAt === undefined ? null : moment(dismissedAt),
    created_at: moment(requestedAt),
    updated_at: moment(dismissedAt ?? doneAt),
  };
}

/** A payment whose first gateway did not answer in time, and which was paid at the second: it can be paid at the first as well. */
export function canBeChargedTwice({ attempts }: Story): boolean {
  return attempts.length === 2 && attempts[0]?.state === 'UNKNOWN' && attempts[1]?.state === 'PAID';
}

/** The customer paid at the first gateway after all; the charge waits for somebody, or was given back. */
export function chargeTwice(
  random: Random,
  story: Story,
  { at, refundedBy }: { readonly at: number; readonly refundedBy: string | null },
): { readonly charge: Row; readonly refunds: readonly Row[] } {
  const [attempt] = story.attempts;
  if (attempt === undefined || !canBeChargedTwice(story)) throw new Error('this payment cannot be paid a second time');
  const { gateway, accountId } = attempt.account.routable;
  const chargeId = random.id(at);
  const transactionId = random.text(10, '123456789');
  Object.assign(attempt, {
    state: 'PAID',
    duplicate: true,
    transactionId,
    received: story.amount,
    lastAskedAt: at,
    updatedAt: at,
  });
  const detail = { attemptId: attempt.attemptId, amount: String(story.amount), currency: 'NGN', transactionId, gateway };
  happen(random, story, { at, type: 'payment.duplicate_charge', to: null, cause: 'gateway_webhook', detail });
  const refunds: Row[] = [];
  const facts = { requestedAt: at + 2 * HOUR_MS, doneAt: at + 9 * HOUR_MS, amount: story.amount, reason: 'Charged twice' };
  if (refundedBy !== null) {
    const refundId = random.id(facts.requestedAt);
    const ask = { ...detail, refundId, reason: facts.reason, kind: 'duplicate' };
    happen(random, story, {
      at: facts.requestedAt,
      type: 'refund.requested',
      to: null,
      cause: 'staff',
      detail: ask,
      actor: refundedBy,
    });
    happen(random, story, { at: facts.doneAt, type: 'refund.succeeded', to: null, cause: 'schedule', detail: ask });
    refunds.push(refundRow(random, story, { ...facts, state: 'SUCCEEDED' }, { attempt, refundId, actor: refundedBy }));
  }
  const charge = {
    merchant_id: story.merchant.merchantId,
    id: chargeId,
    mode: 'test',
    payment_id: story.paymentId,
    attempt_id: attempt.attemptId,
    account_id: accountId,
    gateway,
    reference: attempt.reference,
    transaction_id: transactionId,
    amount: story.amount,
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
