import { enqueueJob } from '@switchyard/db';
import type { Prisma, Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { changeDuplicateCharge, findDuplicateChargeOfRefund } from '../duplicates/queries.ts';
import type { PaymentChange } from '../life-cycle/apply-change.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import type { NewTimelineEvent } from '../life-cycle/payment-record.ts';
import { canTransition, eventType } from '../life-cycle/transitions.ts';
import { isUnsettled, readMismatchedMoney } from '../reviews/mismatched-money.ts';
import { type LockedPayment, resolveFailedRefunds } from './queries.ts';

type Ended = Refund & { readonly state: 'SUCCEEDED' | 'FAILED' | 'NEEDS_ATTENTION' };

/** The change of a payment that a refund's end causes, with the timeline events that record it. */
export interface Consequences {
  readonly change: Pick<PaymentChange, 'status' | 'failureReason' | 'refundedAmount' | 'review'>;
  readonly events: readonly NewTimelineEvent[];
}

/** The effects of a refund that ended or needs attention on its payment, and on the duplicate charge it returns. */
export async function consequencesOf(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  refund: Ended,
  cause: Cause,
): Promise<Consequences> {
  const event = (type: string, toStatus: NewTimelineEvent['toStatus'] = null): NewTimelineEvent => ({
    eventId: context.newId(),
    type,
    fromStatus: toStatus === null ? null : locked.status,
    toStatus,
    cause,
    actor: null,
    detail: detailOf(refund),
  });
  const { merchantId, paymentId } = locked;
  switch (refund.state) {
    case 'NEEDS_ATTENTION':
      return { change: {}, events: [event('refund.needs_attention')] };
    case 'FAILED':
      if (refund.duplicate) await moveDuplicate(context, transaction, refund, 'OPEN');
      else if (!refund.mismatched) await checkReversal(transaction, refund);
      return { change: {}, events: [event('refund.failed')] };
    case 'SUCCEEDED': {
      if (refund.duplicate) await moveDuplicate(context, transaction, refund, 'REFUNDED');
      const more = refund.mismatched && (await holdsMore(transaction, locked));
      const returned = changeOfReturnedMoney(locked, refund, more, event);
      if (returned.change.status === 'REFUNDED') {
        const resolution = { resolvedBy: refund.requestedBy, resolvedAt: context.now() };
        await resolveFailedRefunds(transaction, { merchantId, paymentId, amount: locked.amount }, resolution);
      }
      return returned;
    }
    default:
      return refund.state satisfies never;
  }
}

type NewEvent = (type: string, toStatus: NewTimelineEvent['toStatus']) => NewTimelineEvent;

type ChangedPayment = Pick<LockedPayment, 'status' | 'amount' | 'refundedAmount' | 'review' | 'reviewReason'>;
type ReturnedMoney = Pick<Refund, 'amount' | 'duplicate' | 'mismatched'>;

/** The change of a payment that a refund which was paid out causes. `more` is true while other money of it is under review. */
export function changeOfReturnedMoney(
  locked: ChangedPayment,
  refund: ReturnedMoney,
  more: boolean,
  event: NewEvent,
): Consequences {
  const done = event('refund.succeeded', null);
  if (refund.duplicate) return { change: {}, events: [done] };
  return refund.mismatched ? closeReview(more, locked, done, event) : addRefundedAmount(locked, refund, done, event);
}

function addRefundedAmount(locked: ChangedPayment, refund: ReturnedMoney, done: NewTimelineEvent, event: NewEvent): Consequences {
  const refundedAmount = locked.refundedAmount + refund.amount;
  const complete = refundedAmount >= locked.amount && canTransition(locked.status, 'REFUNDED');
  if (!complete) return { change: { refundedAmount }, events: [done] };
  return { change: { refundedAmount, status: 'REFUNDED' }, events: [done, event(eventType('REFUNDED'), 'REFUNDED')] };
}

/** Closes the review: the mismatched money has been refunded. */
function closeReview(more: boolean, locked: ChangedPayment, done: NewTimelineEvent, event: NewEvent): Consequences {
  if (more || locked.review !== 'OPEN') return { change: {}, events: [done] };
  const review = { state: 'RESOLVED', reason: locked.reviewReason ?? '' } as const;
  const resolved = event('payment.review_resolved', null);
  if (locked.status !== 'PENDING') return { change: { review }, events: [done, resolved] };
  return {
    change: { review, status: 'FAILED', failureReason: 'review_refunded' },
    events: [done, resolved, event(eventType('FAILED'), 'FAILED')],
  };
}

/** True if any attempt still has money that does not match the order, or a refund of it that may fail. */
async function holdsMore(transaction: Prisma.TransactionClient, locked: LockedPayment): Promise<boolean> {
  const mismatched = await readMismatchedMoney(transaction, [locked]);
  return (mismatched.get(locked.paymentId) ?? []).some(isUnsettled);
}

/** A gateway refuses to refund what it has taken back: the transaction is looked up, as that may be news. */
function checkReversal(transaction: Prisma.TransactionClient, { merchantId, attemptId }: Refund): Promise<void> {
  const key = `check-attempt:${attemptId}`;
  return enqueueJob(transaction, 'check-attempt', { merchantId, attemptId }, { key });
}

async function moveDuplicate(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, id: refundId, requestedBy }: Refund,
  to: 'OPEN' | 'REFUNDED',
): Promise<void> {
  const charge = await findDuplicateChargeOfRefund(transaction, { merchantId, paymentId, refundId });
  if (charge === null) return;
  const now = context.now();
  const resolved = to === 'REFUNDED' ? { resolvedBy: requestedBy, resolvedAt: now } : {};
  await changeDuplicateCharge(
    transaction,
    { merchantId, duplicateChargeId: charge.id },
    'REFUNDING',
    { state: to, ...resolved },
    now,
  );
}

function detailOf({ id: refundId, amount, currency, gateway, duplicate, mismatched, failureMessage }: Refund) {
  const kind = duplicate ? 'duplicate' : mismatched ? 'mismatched' : 'own';
  return { refundId, amount: amount.toString(), currency, gateway, kind, message: failureMessage };
}
