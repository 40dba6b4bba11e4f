import { wholeUnits } from '@switchyard/db/decimals';
import { reversalByDisputes, reversalEvent } from '../../record/decide-reversal.ts';
import type { NewTimelineEvent } from '../../record/payment-record.ts';
import { decideRefund, moneyThatPaid, type RefundAmount, refundableOf } from '../../refunds/request-refund.ts';
import { changeOfReturnedMoney } from '../../refunds/settle-refund.ts';
import type { Life } from './life.ts';
import type { RefundRow } from './payment-rows.ts';

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
