import { isUuid } from '@switchyard/db';
import type { Prisma, Refund } from '@switchyard/db/client';
import { wholeUnits } from '@switchyard/db/decimals';
import type { PaymentsContext } from '../context.ts';
import { changePayment } from '../life-cycle/apply-change.ts';
import { announce } from '../life-cycle/event-record.ts';
import { merchantOf } from '../life-cycle/merchant-of.ts';
import { eventType } from '../life-cycle/transitions.ts';
import { type LockedPayment, listMoneyOf, lockPayment, type RefundedMoney } from '../refunds/queries.ts';
import { auditMoney, type MoneyAuthor, recordRefund, staffOrNull } from '../refunds/record-refund.ts';
import { leftOf, moneyOf } from '../refunds/request-refund.ts';

/** A staff user's decision on money that does not match the order. */
export interface ReviewResolution {
  readonly merchantId: string;
  readonly paymentId: string;
  /** `refund` refunds what was received and closes the review once that succeeded; `close` closes it without. */
  readonly by: 'refund' | 'close';
  readonly note: string;
}

/** Whether a review was resolved, and otherwise why not. `nothing_left`: all that was received has been refunded. */
export type ResolveReviewOutcome =
  /** `remainder` is the fraction that refunds cannot move, less than one unit: usually `0`. */
  | { readonly kind: 'requested'; readonly refund: Refund; readonly remainder: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'not_found' }
  /** The payment has no open review. */
  | { readonly kind: 'not_open' }
  /** Paid since, at another attempt: the other money is a duplicate charge, and refunded as one. */
  | { readonly kind: 'paid_since' }
  | { readonly kind: 'nothing_left' };

/**
 * Resolves money that did not match its order. It never makes the payment a success: the payment fails, unless it already has
 * another final status. Whole units are refunded; a fraction has to be refunded in the gateway's own dashboard.
 */
export async function resolveReview(
  context: PaymentsContext,
  resolution: ReviewResolution,
  author: MoneyAuthor,
): Promise<ResolveReviewOutcome> {
  const { merchantId, paymentId, by } = resolution;
  if (!isUuid(paymentId)) return { kind: 'not_found' };
  const { merchantNumber } = await merchantOf(context, merchantId);
  return context.resources.database.prisma.$transaction(async (transaction): Promise<ResolveReviewOutcome> => {
    const locked = await lockPayment(transaction, merchantId, paymentId);
    if (locked === null) return { kind: 'not_found' };
    if (locked.review !== 'OPEN') return { kind: 'not_open' };
    if (by === 'refund') return refundMoney(context, transaction, locked, resolution, author);
    await close(context, transaction, locked, { ...resolution, merchantNumber }, author);
    return { kind: 'closed' };
  });
}

async function refundMoney(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  { note }: ReviewResolution,
  author: MoneyAuthor,
): Promise<ResolveReviewOutcome> {
  if (locked.status === 'SUCCESS' || locked.status === 'REFUNDED') return { kind: 'paid_since' };
  const found = await findMismatched(transaction, locked);
  if (found === null) return { kind: 'nothing_left' };
  const { money, amount, currency, remainder } = found;
  const reason = 'The amount did not match the order';
  const request = { refundId: context.newId(), money, amount, currency, reason, note, kind: 'mismatched' } as const;
  return { kind: 'requested', refund: await recordRefund(context, transaction, locked, request, author), remainder };
}

interface Mismatched {
  readonly money: RefundedMoney;
  readonly amount: bigint;
  readonly currency: string;
  readonly remainder: string;
}

/** The first attempt with money that did not pay the payment and has not been refunded. */
async function findMismatched(transaction: Prisma.TransactionClient, locked: LockedPayment): Promise<Mismatched | null> {
  for (const attempt of await listMoneyOf(transaction, locked.merchantId, locked.paymentId)) {
    const money = moneyOf(attempt);
    if (attempt.state === 'PAID' || money === null || attempt.receivedAmount === null) continue;
    const { whole, remainder } = wholeUnits(attempt.receivedAmount.toFixed());
    const amount = await leftOf(transaction, locked, money, whole);
    if (amount > 0n) return { money, amount, currency: attempt.receivedCurrency ?? locked.currency, remainder };
  }
  return null;
}

async function close(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  { note, merchantNumber }: ReviewResolution & { readonly merchantNumber: string },
  author: MoneyAuthor,
): Promise<void> {
  const now = context.now();
  const { merchantId, paymentId, version } = locked;
  const fails = locked.status === 'PENDING';
  const shared = { cause: author.cause, actor: staffOrNull(author.actor), detail: { note, reason: locked.reviewReason } };
  const resolved = {
    eventId: context.newId(),
    type: 'payment.review_resolved',
    fromStatus: null,
    toStatus: null,
    ...shared,
  };
  const failed = {
    eventId: context.newId(),
    type: eventType('FAILED'),
    fromStatus: locked.status,
    toStatus: 'FAILED' as const,
    ...shared,
    detail: { reason: 'review_closed', message: note },
  };
  const after = { ...locked, status: 'FAILED' as const, version: version + 1 };
  const announcement = fails ? announce(after, merchantNumber, { ...failed, at: now }) : null;
  const applied = await changePayment(
    transaction,
    {
      merchantId,
      paymentId,
      version,
      review: { state: 'RESOLVED', reason: locked.reviewReason ?? '' },
      ...(fails && { status: 'FAILED', failureReason: 'review_closed' }),
      events: fails ? [resolved, failed] : [resolved],
      ...(announcement && { announcements: [announcement] }),
    },
    now,
  );
  if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked`);
  const what = { action: 'payment.review_closed', objectType: 'payment', objectId: paymentId };
  await auditMoney(context, transaction, locked, what, { note, reason: locked.reviewReason }, author);
}
