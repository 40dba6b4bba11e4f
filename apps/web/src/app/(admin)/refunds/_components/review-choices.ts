import { gatewayTitle } from '#/copy/gateways.ts';
import { formatMoney } from '#/format/amounts.ts';
import type { ReviewRow } from './use-refunds.ts';

type Mismatched = ReviewRow['mismatched'][number];

/** Options of staff for a review: to return the money of one attempt, or to close it without. */
export interface ReviewChoices {
  /** Each attempt's money that a refund can return now. */
  readonly refunds: readonly RefundChoice[];
  /** The attempts that closing leaves as they are; null while a refund of any has not ended, because that may fail. */
  readonly close: readonly string[] | null;
}

/** A refund of one attempt's money. */
export interface RefundChoice {
  readonly attemptId: string;
  /** Whole main units. */
  readonly amount: bigint;
  /** The amount that a refund returns: `NGN 2,600.00`. */
  readonly money: string;
  /** Where it was received: `Paystack, reference pay_7`. */
  readonly at: string;
  /** The fraction that refunds cannot move: `NGN 0.25`; null for none. */
  readonly rest: string | null;
}

/** The decisions that a review allows as it is now. */
export function reviewChoices(review: ReviewRow): ReviewChoices {
  const { mismatched } = review;
  const isOpen = ({ state }: Mismatched) => state === 'open';
  return {
    refunds: mismatched.filter((each) => isOpen(each) && each.refundable > 0n).map((each) => refundChoice(each, review)),
    close: mismatched.some(({ state }) => state === 'refunding')
      ? null
      : mismatched.filter(isOpen).map(({ attemptId }) => attemptId),
  };
}

function refundChoice(mismatched: Mismatched, review: ReviewRow): RefundChoice {
  const { attemptId, refundable, remainder } = mismatched;
  const currency = mismatched.receivedCurrency ?? review.currency;
  return {
    attemptId,
    amount: refundable,
    money: formatMoney(currency, refundable),
    at: placeOf(mismatched),
    rest: remainder === '0' ? null : formatMoney(currency, remainder),
  };
}

function placeOf({ gateway, reference }: Mismatched): string {
  return `${gatewayTitle(gateway)}, reference ${reference}`;
}

/** The amount that one attempt received beside the expected one, and the state of the money. */
export function describeMismatched(mismatched: Mismatched, { currency, amount }: ReviewRow): string {
  const received = formatMoney(mismatched.receivedCurrency ?? currency, mismatched.receivedAmount);
  return `${placeOf(mismatched)}: received ${received}, expected ${formatMoney(currency, amount)}${fateOf(mismatched)}.`;
}

function fateOf({ state, failureMessage }: Mismatched): string {
  switch (state) {
    case 'open':
      return failureMessage === null ? '' : `; its refund failed: ${failureMessage.replace(/[.]$/, '')}`;
    case 'refunding':
      return '; a refund is processing';
    case 'returned':
      return '; returned';
    default:
      return state satisfies never;
  }
}

/** Consequence of refunding this money. */
export function describeRefund(review: ReviewRow, { attemptId, money, at, rest }: RefundChoice): string {
  const over = rest === null ? '' : ` Refunds are in whole units: refund the remaining ${rest} in the gateway's dashboard.`;
  return `${money} is returned to the customer through ${at}. This cannot be undone.${over}${endOf(review, attemptId)}`;
}

function endOf({ status, mismatched }: ReviewRow, attemptId: string): string {
  const others = mismatched.filter(
    (each) => each.attemptId !== attemptId && (each.refundable > 0n || each.state === 'refunding'),
  );
  if (others.length > 0) return ' The review stays open for the other amount received.';
  const end = status === 'PENDING' ? ', the payment is marked Failed and its merchant is notified' : '';
  return ` Once it succeeds, the review closes${end}.`;
}

/** Consequence of closing the review without returning anything. */
export function describeClose({ status, currency, amount, mismatched }: ReviewRow): string {
  const end =
    status === 'PENDING' ? 'The payment is marked Failed, and its merchant is notified.' : 'The payment does not change.';
  if (mismatched.length === 0) return `Close it only when the gateway's dashboard shows that nothing was paid. ${end}`;
  return `No money is returned. ${end} It is never marked Succeeded, because ${formatMoney(currency, amount)} was not received.`;
}
