import { isUuid, transactWithHints } from '@switchyard/db';
import type { Attempt, Mode, Prisma, Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../record/context.ts';
import { subtractReversed } from '../record/decide-reversal.ts';
import { sumRefundsOf } from '../record/known-returns.ts';
import { type LockedPayment, listPaidAttempts, lockPayment, type RefundedMoney, readRefund } from '../record/refund-queries.ts';
import { type HoldRefund, holdNone, type MoneyAuthor, recordRefund } from './record-refund.ts';

/** Whole main units, or `full` for all that is left to refund. A word, so that an amount that was lost on the way refunds nothing. */
export type RefundAmount = bigint | 'full';

/** A refund of a paid payment, in full or in part. */
export interface RefundRequest extends MoneyAuthor {
  /** The refund's id. A repeated request with the same id returns the same refund. */
  readonly refundId: string;
  readonly merchantId: string;
  /** Only a payment of this mode; null for either. */
  readonly mode: Mode | null;
  readonly paymentId: string;
  readonly amount: RefundAmount;
  readonly reason: string | null;
  /** One of the merchant's reason codes; null without. */
  readonly reasonCode?: string | null;
}

/** Result of a refund request, or the reason why it was refused. */
export type RequestRefundOutcome =
  /** Recorded; it will be sent to the gateway. */
  | { readonly kind: 'requested'; readonly refund: Refund }
  | { readonly kind: 'not_found' }
  /** Only paid money can be refunded. */
  | { readonly kind: 'not_paid'; readonly status: LockedPayment['status'] }
  /** More than the refundable amount, which `refundable` holds in whole main units. */
  | { readonly kind: 'too_much'; readonly refundable: bigint };

/**
 * Records a refund of a payment in one transaction, before any gateway is called. Concurrent requests never exceed the paid amount:
 * refunds that have not failed count as refunded, and what the gateway took back cannot be refunded. One that is recorded already is not
 * held.
 */
export async function requestRefund<Blocked = never>(
  context: PaymentsContext,
  request: RefundRequest,
  hold: HoldRefund<Blocked> = holdNone,
): Promise<RequestRefundOutcome | Blocked> {
  const { merchantId, paymentId, refundId, mode, reason, reasonCode = null } = request;
  if (!isUuid(paymentId)) return { kind: 'not_found' };
  return transactWithHints(context.resources.database, async (transaction): Promise<RequestRefundOutcome | Blocked> => {
    const locked = await lockPayment(transaction, merchantId, paymentId);
    if (locked === null || (mode !== null && locked.mode !== mode)) return { kind: 'not_found' };
    const known = await readRefund(transaction, merchantId, refundId);
    if (known !== null) return known.paymentId === paymentId ? { kind: 'requested', refund: known } : { kind: 'not_found' };
    const money = moneyThatPaid(await listPaidAttempts(transaction, merchantId, paymentId));
    const taken = money === null ? 0n : await sumRefundsOf(transaction, { merchantId, paymentId, ...money });
    const decided = decideRefund(locked, taken, request.amount);
    if (decided.kind !== 'refund') return decided;
    if (money === null) throw new Error(`payment ${paymentId} is paid, and no attempt of it is`);
    const { amount } = decided;
    const newRefund = { refundId, money, amount, currency: locked.currency, reason, reasonCode, kind: 'own' } as const;
    const held = await hold(transaction, locked, newRefund);
    if (held !== null) return held;
    return { kind: 'requested', refund: await recordRefund(context, transaction, locked, newRefund, request) };
  });
}

/**
 * The amount that a request refunds, or the reason why it is refused. `taken` is the sum of the refunds of the payment's money that have not
 * failed, in whole main units.
 */
export function decideRefund(
  locked: Pick<LockedPayment, 'status' | 'amount' | 'reversal'>,
  taken: bigint,
  asked: RefundAmount,
): { readonly kind: 'refund'; readonly amount: bigint } | Extract<RequestRefundOutcome, { kind: 'not_paid' | 'too_much' }> {
  if (locked.status !== 'SUCCESS' && locked.status !== 'REFUNDED') return { kind: 'not_paid', status: locked.status };
  const refundable = refundableOf(subtractReversed(locked.amount, locked.reversal), taken);
  const amount = asked === 'full' ? refundable : asked;
  if (amount > refundable || refundable <= 0n) return { kind: 'too_much', refundable };
  return { kind: 'refund', amount };
}

/** The part of `received` that refunds which have not failed leave to refund. */
export function refundableOf(received: bigint, taken: bigint): bigint {
  return received > taken ? received - taken : 0n;
}

/** The refundable amount: `received`, less refunds that have not failed. Whole main units. */
export async function remainingRefundable(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId }: LockedPayment,
  { accountId, transactionId }: RefundedMoney,
  received: bigint,
): Promise<bigint> {
  const taken = await sumRefundsOf(transaction, { merchantId, paymentId, accountId, transactionId });
  return refundableOf(received, taken);
}

type PaidAttempt = Pick<Attempt, 'id' | 'accountId' | 'gateway' | 'transactionId' | 'state' | 'duplicate'>;

/** The money of the attempt that paid the payment; null where none did. */
export function moneyThatPaid(attempts: readonly PaidAttempt[]): RefundedMoney | null {
  const paid = attempts.find(({ state, duplicate }) => state === 'PAID' && !duplicate);
  return paid === undefined ? null : moneyOf(paid);
}

/** An attempt's money, or null when it received none. */
function moneyOf({ id: attemptId, accountId, gateway, transactionId }: PaidAttempt): RefundedMoney | null {
  return transactionId === null ? null : { attemptId, accountId, gateway, transactionId };
}
