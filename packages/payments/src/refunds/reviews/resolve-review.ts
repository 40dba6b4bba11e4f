import { isUuid, transactWithHints } from '@switchyard/db';
import type { Prisma, Refund } from '@switchyard/db/client';
import { changePayment } from '../../record/apply-change.ts';
import type { PaymentsContext } from '../../record/context.ts';
import { announce } from '../../record/event-record.ts';
import { merchantOf } from '../../record/find-payment.ts';
import { type MismatchedMoney, readMismatchedMoney } from '../../record/mismatched-money.ts';
import { type LockedPayment, lockPayment } from '../../record/refund-queries.ts';
import { eventType } from '../../record/transitions.ts';
import { auditMoney, type HoldRefund, holdNone, type MoneyAuthor, recordRefund, staffOrNull } from '../record-refund.ts';

/**
 * A staff user's decision on money that does not match the order: it acts on the attempts it names, and on nothing that came after.
 * `refund` returns what one attempt received, and closes the review once no mismatched money is left; `close` closes the review
 * without returning the money of the attempts that are left.
 */
export type ReviewResolution = { readonly merchantId: string; readonly paymentId: string; readonly note: string } & (
  | {
      readonly by: 'refund';
      readonly attemptId: string /** Whole main units. */;
      readonly amount: bigint /** The refund's id. */;
      readonly refundId?: string;
    }
  | { readonly by: 'close'; readonly attemptIds: readonly string[] }
);

/** Result of resolving a review, or the reason why it was refused. */
export type ResolveReviewOutcome =
  /** `remainder` is the fraction that refunds cannot move, less than one unit: usually `0`. */
  | { readonly kind: 'requested'; readonly refund: Refund; readonly remainder: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'not_found' }
  /** The payment has no open review. */
  | { readonly kind: 'not_open' }
  /** Paid since, at another attempt: the other money is a duplicate charge, and refunded as one. */
  | { readonly kind: 'paid_since' }
  /** The attempt has no mismatched money that could be refunded: a refund of it is in progress, or returned it. */
  | { readonly kind: 'nothing_left' }
  /** A refund of mismatched money is in progress; if that fails, the review must still be open. */
  | { readonly kind: 'refunding' }
  /** Another amount, or the money of another attempt, is under review than the decision names. */
  | { readonly kind: 'changed' };

/**
 * Resolves money that did not match its order. It never makes the payment a success: the payment fails, unless it already has
 * another final status. Whole units are refunded; a fraction has to be refunded in the gateway's own dashboard.
 */
export async function resolveReview<Blocked = never>(
  context: PaymentsContext,
  resolution: ReviewResolution,
  author: MoneyAuthor,
  hold: HoldRefund<Blocked> = holdNone,
): Promise<ResolveReviewOutcome | Blocked> {
  const { merchantId, paymentId } = resolution;
  if (!isUuid(paymentId)) return { kind: 'not_found' };
  const { merchantNumber } = await merchantOf(context, merchantId);
  return transactWithHints(context.resources.database, async (transaction): Promise<ResolveReviewOutcome | Blocked> => {
    const locked = await lockPayment(transaction, merchantId, paymentId);
    if (locked === null) return { kind: 'not_found' };
    if (locked.review !== 'OPEN') return { kind: 'not_open' };
    const mismatched = (await readMismatchedMoney(transaction, [locked])).get(paymentId) ?? [];
    if (resolution.by === 'refund') return refundMoney(context, transaction, locked, mismatched, resolution, { author, hold });
    if (mismatched.some(({ state }) => state === 'refunding')) return { kind: 'refunding' };
    const open = mismatched.filter(({ state }) => state === 'open').map(({ attemptId }) => attemptId);
    if (!hasSameMembers(open, resolution.attemptIds)) return { kind: 'changed' };
    await close(context, transaction, locked, { ...resolution, merchantNumber }, author);
    return { kind: 'closed' };
  });
}

type RefundResolution = Extract<ReviewResolution, { by: 'refund' }>;
type CloseResolution = Extract<ReviewResolution, { by: 'close' }>;

function hasSameMembers(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((each) => right.includes(each));
}

async function refundMoney<Blocked>(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  mismatched: readonly MismatchedMoney[],
  { attemptId, amount, note, refundId = context.newId() }: RefundResolution,
  { author, hold }: { readonly author: MoneyAuthor; readonly hold: HoldRefund<Blocked> },
): Promise<ResolveReviewOutcome | Blocked> {
  if (locked.status === 'SUCCESS' || locked.status === 'REFUNDED') return { kind: 'paid_since' };
  const money = mismatched.find((each) => each.attemptId === attemptId);
  if (money === undefined || money.refundable === 0n) return { kind: 'nothing_left' };
  if (money.refundable !== amount) return { kind: 'changed' };
  const currency = money.receivedCurrency ?? locked.currency;
  const reason = 'The amount did not match the order';
  const request = {
    refundId,
    money,
    amount,
    currency,
    reason,
    reasonCode: null,
    note,
    kind: 'mismatched',
  } as const;
  const held = await hold(transaction, locked, request);
  if (held !== null) return held;
  const refund = await recordRefund(context, transaction, locked, request, author);
  return { kind: 'requested', refund, remainder: money.remainder };
}

async function close(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  { note, attemptIds, merchantNumber }: CloseResolution & { readonly merchantNumber: string },
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
  const decided = { note, reason: locked.reviewReason, attempts: attemptIds.join(', ') };
  await auditMoney(context, transaction, locked, what, decided, author);
}
