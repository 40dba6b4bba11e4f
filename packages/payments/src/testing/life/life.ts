import { wholeUnits } from '@switchyard/db/decimals';
import type { Outcome, ReceivedPayment } from '@switchyard/gateways';
import { describeResult } from '../../path/initiate/open-checkout.ts';
import { closeExpired, decideStep, nextLateCheck, reviewUnsettled } from '../../path/sweeping/settle-overdue.ts';
import type { PaymentChange } from '../../record/apply-change.ts';
import { applyGatewayResult, type Cause } from '../../record/apply-gateway-result.ts';
import { watchedAttempts } from '../../record/attempt-queries.ts';
import { type KnownReturns, NO_RETURNS, reversalByDisputes, reversalEvent } from '../../record/decide-reversal.ts';
import { describeAttempts, isAnswer, type Unanswered } from '../../record/fetch-gateway-result.ts';
import { nextCheckAt, retryAt } from '../../record/next-check.ts';
import type { AttemptRecord, NewTimelineEvent } from '../../record/payment-record.ts';
import { attemptReference } from '../../record/plan.ts';
import { decideRefund, moneyThatPaid, type RefundAmount, refundableOf } from '../../refunds/request-refund.ts';
import { changeOfReturnedMoney } from '../../refunds/settle-refund.ts';
import { anAttempt } from '../samples.ts';
import { Checkout, type Money, OPENINGS, type Opening } from './checkouts.ts';
import { CREATED_AT, EXPIRES_AT, type PaymentRow, PaymentRows, type RefundRow } from './payment-rows.ts';

/** A process that has asked a gateway about an attempt, with what it read before. */
export interface Asked {
  readonly payment: PaymentRow;
  readonly attempt: AttemptRecord;
  readonly outcome: Outcome<ReceivedPayment>;
  readonly at: Date;
  readonly cause: Cause;
  /** The money that the answer is about. */
  readonly money: Money | null;
}

/** An answer that was applied, with the states that it was applied to. */
export interface Heard extends Asked {
  readonly position: number;
  readonly stateBefore: AttemptRecord['state'];
  readonly wasPaid: boolean;
}

export interface LifeOptions {
  readonly openings: readonly Opening[];
  readonly isListed: boolean;
  readonly webhooksArrive: boolean;
  readonly refundDuplicates: boolean;
  /** In [0, 1). */
  readonly random: number;
}

/** One payment: its gateways, its rows, and the processes that act on it. Each gateway that does not open a checkout is followed by the next. */
export class Life {
  now = CREATED_AT;
  readonly rows: PaymentRows;
  readonly checkouts: readonly Checkout[];
  readonly options: LifeOptions;
  readonly heard: Heard[] = [];
  readonly disputes: string[] = [];
  /** Processes that have an answer, and have not applied it. */
  readonly asked: Asked[] = [];
  /** Processes that stand still before they write what a check has decided. */
  readonly standing: (() => void)[] = [];

  constructor(options: LifeOptions) {
    this.options = options;
    const last = options.openings.indexOf('opens');
    const openings = last === -1 ? options.openings : options.openings.slice(0, last + 1);
    const references = openings.map((_, position) => attemptReference('p', position));
    this.checkouts = openings.map(
      (opening, at) => new Checkout(references[at] ?? '', OPENINGS[opening].isOpen, options.isListed),
    );
    const attempts = openings.map((opening, position) => attemptOf(opening, position, references[position] ?? ''));
    const current = last === -1 ? undefined : attempts.at(-1);
    const opened = { currentAttemptId: current?.id ?? null, gatewayReference: current?.reference ?? null };
    const status = current === undefined ? 'FAILED' : 'PENDING';
    this.rows = new PaymentRows(
      { ...opened, status, failureReason: current === undefined ? 'every_gateway_failed' : null },
      attempts,
    );
    const mayBeOpen = attempts.some(({ state }) => state === 'UNKNOWN');
    const random = this.options.random;
    if (current !== undefined)
      this.rows.nextCheckAt = nextCheckAt({ ...this.times(), createdAt: CREATED_AT, expiresAt: EXPIRES_AT });
    else if (mayBeOpen) this.rows.nextCheckAt = retryAt({ now: this.now, unanswered: 3, random });
  }

  /** Asks the gateway of the attempt at a position; null where there is none. */
  ask(position: number, transactionId: string | null, cause: Cause): Asked | null {
    const { attempts, payment } = this.rows;
    const attempt = attempts[position];
    const checkout = this.checkouts[position];
    if (attempt === undefined || checkout === undefined) return null;
    const query = transactionId ?? attempt.transactionId;
    const outcome = checkout.answer(query);
    // As it is now: the gateway may take it back before the answer is applied.
    const money = outcome.outcome === 'yes' ? checkout.moneyOf(query) : null;
    return { payment, attempt, outcome, at: this.now, cause, money };
  }

  /** Applies an answer to what was read before it, and again while the payment has moved on. Returns the payment as the process has it then. */
  apply(asked: Asked): PaymentRow {
    const { rows } = this;
    const { outcome } = asked;
    let { payment } = asked;
    let attempts = outcome.outcome === 'unknown' ? [] : rows.attempts;
    let attempt = attempts.find(({ id }) => id === asked.attempt.id) ?? asked.attempt;
    for (;;) {
      const change = this.decide(asked, payment, attempt, attempts);
      const applied = change === null ? 'nothing' : rows.change(change, this.now);
      if (applied !== 'moved_on') {
        const wasPaid = payment.status === 'SUCCESS' || payment.status === 'REFUNDED' || attempt.state === 'PAID';
        this.heard.push({ ...asked, position: attempt.position, stateBefore: attempt.state, wasPaid });
        if (applied === 'applied') this.refundDuplicate(change);
        return change === null ? payment : rows.payment;
      }
      ({ payment, attempts } = rows);
      attempt = attempts.find(({ id }) => id === asked.attempt.id) ?? attempt;
    }
  }

  /** Looks up each attempt that may bring money, and does what follows. `standStill` writes that later. */
  check(standStill: boolean): void {
    const { rows, options } = this;
    const lease = new Date(this.now.getTime() + LEASE_MS);
    rows.nextCheckAt = lease;
    const times = { ...this.times(), again: retryAt({ now: this.now, unanswered: 3, random: options.random }) };
    let { payment } = rows;
    let unanswered: Unanswered | null = null;
    for (const { position } of watchedAttempts(rows.attempts)) {
      const asked = this.ask(position, null, 'schedule');
      if (asked === null) continue;
      payment = this.apply({ ...asked, payment });
      if (asked.outcome.outcome === 'unknown' && !isAnswer(asked.outcome)) unanswered ??= asked.outcome.failure;
    }
    const verified = { payment, unanswered, watched: watchedAttempts(rows.attempts) };
    const step = decideStep(verified, times);
    const schedule = (at: Date | null): void => {
      if (rows.nextCheckAt === lease) rows.nextCheckAt = at;
    };
    if (step.kind === 'check') {
      schedule(step.at);
      return;
    }
    const write = (): void => {
      const known = { merchantNumber: MERCHANT_NUMBER, eventId: rows.newId(), now: this.now };
      const change = step.kind === 'close' ? closeExpired(payment, known) : reviewUnsettled(payment, step.unanswered, known);
      if (rows.change(change, this.now) !== 'applied') schedule(times.again);
      else schedule(step.kind === 'review' ? null : nextLateCheck(verified, times));
    };
    if (standStill) this.standing.push(write);
    else write();
  }

  private decide(asked: Asked, payment: PaymentRow, attempt: AttemptRecord, attempts: readonly AttemptRecord[]) {
    const { outcome, cause, at: askedAt } = asked;
    const { refundDuplicates } = this.options;
    const merchant = { merchantNumber: MERCHANT_NUMBER, refundDuplicates };
    const returns = this.returnsOf(attempt, outcome);
    const known = { payment, attempt, merchant, ...describeAttempts(attempts, attempt.id), returns };
    return applyGatewayResult({
      ...known,
      outcome,
      cause,
      askedAt,
      now: this.now,
      newId: this.rows.newId,
      sealPayer: (payer) => JSON.stringify(payer),
    });
  }

  /** As `readReturns` of a look-up. */
  private returnsOf(known: AttemptRecord, outcome: Asked['outcome']): KnownReturns {
    if (known.transactionId === null || outcome.outcome !== 'yes') return NO_RETURNS;
    const { transactionId, reversed } = outcome.value;
    if (!reversed && known.state === 'PAID' && known.transactionId === transactionId) return NO_RETURNS;
    return { refunded: this.rows.sumRefunds(transactionId), disputed: this.disputes.length > 0 };
  }

  private refundDuplicate(change: PaymentChange | null): void {
    const charge = change?.duplicateCharge;
    if (charge?.refund !== true || charge.amount.includes('.')) return;
    this.rows.addRefund({ transactionId: charge.transactionId, amount: BigInt(charge.amount), kind: 'duplicate' });
  }

  private times() {
    const { webhooksArrive, random } = this.options;
    return { now: this.now, webhooksArrive, random };
  }
}

const MERCHANT_NUMBER = '100001';
const LEASE_MS = 120_000;

function attemptOf(opening: Opening, position: number, reference: string): AttemptRecord {
  const { outcome, calledBefore } = OPENINGS[opening];
  const attempt = { attemptId: `a${position}`, position, accountId: `account-${position}`, gateway: 'paystack', reference };
  const { attemptId: id, state } = describeResult(attempt, outcome, calledBefore);
  return { ...anAttempt, ...attempt, id, state };
}

/** The merchant asks for a refund of the payment's own money. Returns what is granted, null for nothing. */
export function requestRefund({ rows }: Life, asked: RefundAmount): bigint | null {
  const money = moneyThatPaid(rows.attempts);
  const taken = money === null ? 0n : rows.sumRefunds(money.transactionId);
  const decided = decideRefund(rows.payment, taken, asked);
  if (decided.kind !== 'refund') return null;
  if (money === null) throw new Error('nothing was paid');
  rows.addRefund({ transactionId: money.transactionId, amount: decided.amount, kind: 'own' });
  return decided.amount;
}

/** Staff refund all money that is under review. */
export function refundReviewed({ rows }: Life): void {
  const { status, review } = rows.payment;
  if (review !== 'OPEN' || status === 'SUCCESS') return;
  for (const { transactionId, amount: received } of rows.mismatched()) {
    const amount = refundableOf(wholeUnits(received).whole, rows.sumRefunds(transactionId));
    if (amount > 0n) rows.addRefund({ transactionId, amount, kind: 'mismatched' });
  }
}

/** A refund ends at its gateway, with what follows for the payment. */
export function endRefund({ rows, now }: Life, refund: RefundRow, state: 'SUCCEEDED' | 'FAILED'): void {
  if (refund.state !== 'REQUESTED') return;
  rows.refunds = rows.refunds.map((each) => (each.id === refund.id ? { ...each, state } : each));
  const { merchantId, paymentId, version, status } = rows.payment;
  const event = (type: string, toStatus: NewTimelineEvent['toStatus'] = null): NewTimelineEvent => ({
    eventId: rows.newId(),
    type,
    fromStatus: toStatus === null ? null : status,
    toStatus,
    cause: 'schedule',
    actor: null,
    detail: { refundId: refund.id },
  });
  const key = { merchantId, paymentId, version };
  if (state === 'FAILED') return void rows.change({ ...key, events: [event('refund.failed')] }, now);
  const kind = { duplicate: refund.kind === 'duplicate', mismatched: refund.kind === 'mismatched' };
  const isMore = rows.mismatched().some(({ transactionId, amount }) => {
    const isUnderWay = rows.refunds.some((each) => each.transactionId === transactionId && each.state === 'REQUESTED');
    return isUnderWay || refundableOf(wholeUnits(amount).whole, rows.sumRefunds(transactionId)) > 0n;
  });
  const { change, events } = changeOfReturnedMoney(rows.payment, { ...refund, ...kind }, isMore, event);
  rows.change({ ...key, ...change, events }, now);
}

/** A dispute of a part of a paid payment is lost: at most one of a payment. */
export function loseDispute({ rows, disputes, now }: Life, lost: string): void {
  const { payment } = rows;
  const transactionId = rows.paying()?.transactionId ?? null;
  if (transactionId === null || disputes.length > 0) return;
  disputes.push(lost);
  const reversal = reversalByDisputes(payment, { lost, refunded: rows.sumRefunds(transactionId), at: now });
  if (reversal === null) return;
  const told = reversalEvent(payment, reversal, { eventId: rows.newId(), cause: 'gateway_webhook', detail: {} });
  const { merchantId, paymentId, version } = payment;
  rows.change({ merchantId, paymentId, version, reversal, events: told === null ? [] : [told.event] }, now);
}
