import { DAY_MS, HOUR_MS, MINUTE_MS } from './calendar.ts';
import { moment, type Row } from './plan.ts';
import type { Random } from './random.ts';
import { happen, type Story } from './story.ts';

const REASONS = [
  ...(['Returned unopened', 'Out of stock', 'Delivered too late', 'Customer changed their mind', 'Wrong item sent'] as const),
  'Order placed twice',
] as const;
const REFUNDED_SHARE = 0.017;
const PARTIAL_SHARE = 0.4;
const NO_FUNDS = 'Your balance is not enough to fulfil this request.';

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
  return [tellRefund(random, story, facts, actor)];
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
  const gateway = story.attempts.find((attempt) => attempt.state === 'PAID')?.account.routable.gateway ?? null;
  const detail = { refundId, amount: String(amount), currency: 'NGN', gateway, reason, kind: 'ordinary' };
  happen(random, story, { at: requestedAt, type: 'refund.requested', to: null, cause: 'staff', detail, actor });
  if (state === 'SUCCEEDED') story.state.refunded += amount;
  happen(random, story, { at: doneAt, type: OUTCOMES[state], to: null, cause: 'schedule', detail });
  if (state === 'SUCCEEDED' && amount === story.amount) {
    happen(random, story, { at: doneAt, type: 'payment.refunded', to: 'REFUNDED', cause: 'schedule', detail });
  }
  return refundRow(random, story, facts, { refundId, actor, duplicate: false });
}

function refundRow(
  random: Random,
  story: Story,
  { requestedAt, doneAt, amount, state, reason }: RefundFacts,
  { refundId, actor, duplicate }: { readonly refundId: string; readonly actor: string; readonly duplicate: boolean },
): Row {
  const paid = story.attempts.find((attempt) => attempt.state === 'PAID');
  if (paid === undefined) throw new Error('only money that came can go back');
  return {
    ...{ merchant_id: story.merchant.merchantId, id: refundId, mode: 'test', payment_id: story.paymentId },
    ...{ attempt_id: paid.attemptId, account_id: paid.account.routable.accountId, gateway: paid.account.routable.gateway },
    ...{ transaction_id: paid.transactionId ?? '', amount, currency: 'NGN', state, reason, reference: `rf-${refundId}` },
    gateway_refund_id: state === 'SUCCEEDED' ? random.text(8, '123456789') : null,
    ...{ requested_by: actor, duplicate, mismatched: false, failure_message: state === 'SUCCEEDED' ? null : NO_FUNDS },
    ...{ sent_at: moment(requestedAt + 900), send_count: 1, next_check_at: null, check_count: 2, version: 3 },
    ...{ created_at: moment(requestedAt), updated_at: moment(doneAt) },
  };
}

/** The customer paid a second time; the charge waits for somebody, or was given back. */
export function chargeTwice(
  random: Random,
  story: Story,
  { at, refundedBy }: { readonly at: number; readonly refundedBy: string | null },
): { readonly charge: Row; readonly refunds: readonly Row[] } {
  const paid = story.attempts.find((attempt) => attempt.state === 'PAID');
  if (paid === undefined) throw new Error('only a paid payment can be paid again');
  const { gateway, accountId } = paid.account.routable;
  const [chargeId, transactionId] = [random.id(at), random.text(10, '123456789')];
  const detail = { attemptId: paid.attemptId, amount: String(story.amount), currency: 'NGN', transactionId, gateway };
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
    const row = refundRow(random, story, { ...facts, state: 'SUCCEEDED' }, { refundId, actor: refundedBy, duplicate: true });
    refunds.push({ ...row, transaction_id: transactionId });
  }
  const charge = {
    ...{ merchant_id: story.merchant.merchantId, id: chargeId, mode: 'test', payment_id: story.paymentId },
    ...{ attempt_id: paid.attemptId, account_id: accountId, gateway, reference: paid.reference, transaction_id: transactionId },
    ...{ amount: story.amount, currency: 'NGN', state: refundedBy === null ? 'OPEN' : 'REFUNDED' },
    ...{ refund_id: refunds[0]?.id ?? null, note: null, resolved_by: refundedBy },
    resolved_at: refundedBy === null ? null : moment(facts.doneAt),
    ...{ created_at: moment(at), updated_at: moment(refundedBy === null ? at : facts.doneAt) },
  };
  return { charge, refunds };
}
