import { enqueueJob, transactWithHints } from '@switchyard/db';
import type { Prisma, Refund } from '@switchyard/db/client';
import { changePayment, type PaymentChange } from '../record/apply-change.ts';
import type { Cause } from '../record/apply-gateway-result.ts';
import type { PaymentsContext } from '../record/context.ts';
import { changeDuplicateCharge, findDuplicateChargeOfRefund } from '../record/duplicate-queries.ts';
import { announce } from '../record/event-record.ts';
import { merchantOf } from '../record/find-payment.ts';
import { isUnsettled, readMismatchedMoney } from '../record/mismatched-money.ts';
import type { NewTimelineEvent } from '../record/payment-record.ts';
import { unrecognisedEvent } from '../record/record-unrecognised.ts';
import { changeRefund, type LockedPayment, lockPayment, readRefund, resolveFailedRefunds } from '../record/refund-queries.ts';
import { refundResource } from '../record/refund-resource.ts';
import { canTransition, eventType } from '../record/transitions.ts';
import { applyRefundResult, type RefundResult } from './apply-refund-result.ts';

const ROUNDS_MAX = 5;

/**
 * Applies a gateway result to a refund and, in the same transaction, to its payment, duplicate charge or review, the timeline and the
 * merchant's events. Recomputed when the refund changed meanwhile. `alongside` runs in the transaction of a change.
 */
export async function settleRefund(
  context: PaymentsContext,
  { merchantId, id: refundId, paymentId }: Pick<Refund, 'merchantId' | 'id' | 'paymentId'>,
  result: RefundResult,
  cause: Cause,
  alongside?: (transaction: Prisma.TransactionClient, locked: LockedPayment) => Promise<void>,
): Promise<Refund> {
  const { merchantNumber } = await merchantOf(context, merchantId);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const settled = await transactWithHints(context.resources.database, async (transaction) => {
      const locked = await lockPayment(transaction, merchantId, paymentId);
      const refund = await readRefund(transaction, merchantId, refundId);
      if (locked === null || refund === null) throw new Error(`refund ${refundId} is gone`);
      const now = context.now();
      const change = applyRefundResult(refund, result, { now, random: context.random() });
      if (change === null) return refund;
      if (!(await changeRefund(transaction, refund, change, now))) return null;
      await alongside?.(transaction, locked);
      const after: Refund = { ...refund, ...change, version: refund.version + 1, updatedAt: now };
      const shown = await describeUnrecognised(context, transaction, refund, result, cause);
      const consequences =
        after.state === refund.state ? NONE : await readConsequences(context, transaction, locked, after, cause);
      await applyConsequences(context, transaction, locked, after, {
        merchantNumber,
        consequences: { ...consequences, events: [...shown, ...consequences.events] },
      });
      return after;
    });
    if (settled !== null) return settled;
  }
  throw new Error(`refund ${refundId} changed ${ROUNDS_MAX} times while one result was being applied`);
}

const NONE: Consequences = { change: {}, events: [] };

/** The event of a status that the gateway's documentation does not list, unless the timeline has it. */
async function describeUnrecognised(
  { newId }: PaymentsContext,
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, id: refundId, gateway }: Refund,
  result: RefundResult,
  cause: Cause,
): Promise<readonly NewTimelineEvent[]> {
  if (result.kind !== 'reported' || result.unrecognised === undefined) return [];
  const { message, record: answer } = result.unrecognised;
  const report = { type: 'refund.unrecognised_status', subject: { refundId }, gateway, message, answer, cause } as const;
  const event = await unrecognisedEvent(transaction, { merchantId, paymentId }, report, newId);
  return event === null ? [] : [event];
}

/** The effect of a refund's new state on its payment; REQUESTED and PROCESSING have no effect. */
async function readConsequences(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  refund: Refund,
  cause: Cause,
): Promise<Consequences> {
  const { state } = refund;
  if (state === 'REQUESTED' || state === 'PROCESSING') return NONE;
  return consequencesOf(context, transaction, locked, { ...refund, state }, cause);
}

/** Applies to a payment what follows from its refund, if anything does. */
async function applyConsequences(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  refund: Refund,
  { merchantNumber, consequences: { change, events } }: { merchantNumber: string; consequences: Consequences },
): Promise<void> {
  if (events.length === 0) return;
  const now = context.now();
  const { merchantId, paymentId, version } = locked;
  const after = { ...locked, ...(change.status && { status: change.status }), version: version + 1 };
  const announcements = events.flatMap((event) => {
    const about = event.type.startsWith('refund.') ? { refund: refundResource(refund) } : {};
    return announce(after, merchantNumber, { ...event, at: now, ...about }) ?? [];
  });
  const applied = await changePayment(transaction, { merchantId, paymentId, version, ...change, events, announcements }, now);
  if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked for refund ${refund.id}`);
}

type Ended = Refund & { readonly state: 'SUCCEEDED' | 'FAILED' | 'NEEDS_ATTENTION' };

/** The change of a payment that a refund's end causes, with the timeline events that record it. */
interface Consequences {
  readonly change: Pick<PaymentChange, 'status' | 'failureReason' | 'refundedAmount' | 'review'>;
  readonly events: readonly NewTimelineEvent[];
}

/** The effects of a refund that ended or needs attention on its payment, and on the duplicate charge it returns. */
async function consequencesOf(
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
