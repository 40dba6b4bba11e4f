import type { DisputeState } from '@switchyard/db/client';
import { compareDecimals, subtractDecimals, wholeUnits } from '@switchyard/db/decimals';
import type { NewTimelineEvent, Reversal, ReversalCause } from './payment-record.ts';

/** A reversal as the columns of a payment have it. */
export interface ReversalColumns {
  /** Exact decimal of the main unit. */
  readonly reversedAmount: string;
  readonly reversedAt: Date | null;
  readonly reversalCause: string | null;
}

/** The reversal in a payment's columns. */
export function toReversal({ reversedAmount, reversedAt, reversalCause }: ReversalColumns): Reversal {
  if (reversedAt === null) return NOT_REVERSED;
  return { amount: reversedAmount, cause: reversalCause === 'chargeback' ? 'chargeback' : 'gateway', at: reversedAt };
}

/** Nothing is taken back. */
export const NOT_REVERSED: Reversal = { amount: '0', cause: null, at: null };

/** States in which the money of a dispute goes back to the customer. */
export const LOST_STATES = ['LOST', 'ACCEPTED', 'EXPIRED'] as const satisfies readonly DisputeState[];

/** A payment whose money is at a gateway. */
export interface ReversiblePayment {
  /** Whole main units. */
  readonly amount: bigint;
  readonly reversal: Reversal;
}

/** Known reasons why money of a transaction may have gone back. */
export interface KnownReturns {
  /** Sum of our refunds of it that have not failed, in whole main units. */
  readonly refunded: bigint;
  /** True if a dispute of it is open or lost. */
  readonly disputed: boolean;
}

/** Nothing is known of. */
export const NO_RETURNS: KnownReturns = { refunded: 0n, disputed: false };

/**
 * The reversal after the gateway said whether the payment's transaction is reversed; null when nothing changes. `refunded` is the sum of
 * our refunds that have not failed: gateways call a transaction reversed also when those returned all of it. `disputed` is true while a dispute
 * of it is open, or lost: that is then why.
 *
 * A transaction that is not reversed undoes only what an earlier status said. A chargeback stays: it may be of a part, which leaves the
 * status of the transaction as it is.
 */
export function reversalByStatus(
  { amount, reversal }: ReversiblePayment,
  { reversed, refunded, disputed, now }: KnownReturns & { readonly reversed: boolean; readonly now: Date },
): Reversal | null {
  if (!reversed) return reversal.cause === 'gateway' ? NOT_REVERSED : null;
  const taken = String(amount - refunded);
  if (compareDecimals(taken, reversal.amount) <= 0) return null;
  return { amount: taken, cause: reversal.cause ?? (disputed ? 'chargeback' : 'gateway'), at: now };
}

/**
 * The reversal after a dispute changed; null when nothing changes. `lost` is the sum of the payment's lost disputes, `refunded` that of our
 * refunds that have not failed: no more goes back than was paid. Once no dispute is lost any more, the status of the transaction decides.
 */
export function reversalByDisputes(
  { amount, reversal }: ReversiblePayment,
  { lost, refunded, at }: { readonly lost: string; readonly refunded: bigint; readonly at: Date },
): Reversal | null {
  if (compareDecimals(lost, '0') === 0) return reversal.cause === 'chargeback' ? { ...reversal, cause: 'gateway' } : null;
  const left = String(amount - refunded);
  const taken = compareDecimals(lost, left) < 0 ? lost : left;
  if (compareDecimals(taken, reversal.amount) > 0) return { amount: taken, cause: 'chargeback', at };
  return reversal.cause === 'gateway' ? { ...reversal, cause: 'chargeback' } : null;
}

/** A reversal as `payment.reversed` and `payment.reinstated` announce it. */
export interface AnnouncedReversal {
  /** Amount that the gateway took back with this event, or gave back with `payment.reinstated`. Main units, with decimals where it has them. */
  readonly amount: number;
  readonly currency: string;
  readonly cause: ReversalCause;
  /** All that is taken back of the payment after this event. */
  readonly totalReversed: number;
}

/** The event of a change of the reversed amount; null where only its cause changed. */
export function reversalEvent(
  { reversal: before, currency }: ReversiblePayment & { readonly currency: string },
  after: Reversal,
  event: Pick<NewTimelineEvent, 'eventId' | 'cause'> & { readonly detail: Readonly<Record<string, string | null>> },
): { readonly event: NewTimelineEvent; readonly announced: AnnouncedReversal } | null {
  const difference = subtractDecimals(after.amount, before.amount);
  const more = compareDecimals(difference, '0');
  if (more === 0) return null;
  const amount = more > 0 ? difference : subtractDecimals('0', difference);
  const reversalCause = after.cause ?? before.cause ?? 'gateway';
  return {
    event: {
      eventId: event.eventId,
      type: more > 0 ? 'payment.reversed' : 'payment.reinstated',
      fromStatus: null,
      toStatus: null,
      cause: event.cause,
      actor: null,
      detail: { ...event.detail, amount, total: after.amount, currency, reversalCause },
    },
    announced: { amount: Number(amount), currency, cause: reversalCause, totalReversed: Number(after.amount) },
  };
}

/** Part of an amount that is left to refund, in whole main units: no part of a unit that is taken back can be refunded. */
export function subtractReversed(amount: bigint, { amount: reversed }: Reversal): bigint {
  const left = subtractDecimals(String(amount), reversed);
  return compareDecimals(left, '0') <= 0 ? 0n : wholeUnits(left).whole;
}
