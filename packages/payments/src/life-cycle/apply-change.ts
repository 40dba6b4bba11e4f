import type { Database } from '@switchyard/db';
import { toPrismaJson } from '@switchyard/db';
import type { AttemptState, PaymentStatus, Prisma, ReviewState } from '@switchyard/db/client';
import { announceEvent, type NewMerchantEvent } from '@switchyard/webhooks/events';
import { insertDuplicateCharge, type NewDuplicateCharge } from '../duplicates/queries.ts';
import type { NewTimelineEvent } from './payment-record.ts';

/** The amount a gateway reports as received for an attempt. Decimals of the main unit as exact text. */
export interface ReceivedMoney {
  readonly amount: string;
  readonly currency: string;
  readonly fee: string | null;
  readonly method: string | null;
  readonly paidAt: Date | null;
  readonly transactionId: string;
}

/** One change of a payment after it was initiated: its row, one attempt's, and its timeline events. */
export interface PaymentChange {
  readonly merchantId: string;
  readonly paymentId: string;
  /** The version the change was computed from. */
  readonly version: number;
  readonly status?: PaymentStatus;
  readonly late?: boolean;
  readonly gatewayReference?: string;
  /** The attempt that was paid, where it is not the current one. */
  readonly paidAttemptId?: string;
  readonly received?: ReceivedMoney;
  readonly review?: { readonly state: ReviewState; readonly reason: string };
  readonly nextCheckAt?: Date | null;
  /** All that refunds have returned so far, whole main units. */
  readonly refundedAmount?: bigint;
  readonly attempt?: {
    readonly attemptId: string;
    readonly state?: AttemptState;
    readonly duplicate?: boolean;
    readonly received?: ReceivedMoney;
    readonly askedAt: Date;
  };
  /** Changes of status are events; the last one with a `toStatus` becomes the payment's event record. */
  readonly events: readonly NewTimelineEvent[];
  /** Events for the merchant, in the order in which they are delivered. */
  readonly announcements?: readonly NewMerchantEvent[];
  readonly duplicateCharge?: NewDuplicateCharge;
}

/**
 * `moved_on`: the payment changed after the change was computed; nothing was written, compute it again. `known`: the duplicate charge
 * is recorded already; nothing was written, and nothing is left to do.
 */
export type ChangeOutcome = 'applied' | 'moved_on' | 'known';

/** Applies a change in one transaction: the payment, its attempt, its timeline and the merchant's events. */
export async function applyPaymentChange(database: Database, change: PaymentChange, now: Date): Promise<ChangeOutcome> {
  return database.prisma.$transaction((transaction) => changePayment(transaction, change, now));
}

/** {@link applyPaymentChange} inside the caller's transaction, which may only continue when the result is `applied`. */
export async function changePayment(
  transaction: Prisma.TransactionClient,
  change: PaymentChange,
  now: Date,
): Promise<ChangeOutcome> {
  const { merchantId, paymentId, duplicateCharge, announcements = [] } = change;
  if (duplicateCharge !== undefined) {
    // Locked first: a charge is only recorded together with its consequences.
    const locked = await transaction.$queryRaw<{ version: number }[]>`
      SELECT version FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ${paymentId}::uuid FOR UPDATE`;
    if (locked[0]?.version !== change.version) return 'moved_on';
    // The payment's own money: the caller read the attempt before the payment.
    const own = await transaction.attempt.count({
      where: {
        merchantId,
        paymentId,
        accountId: duplicateCharge.accountId,
        transactionId: duplicateCharge.transactionId,
        state: 'PAID',
        duplicate: false,
      },
    });
    if (own > 0) return 'known';
    const inserted = await insertDuplicateCharge(transaction, { merchantId, paymentId }, duplicateCharge, now);
    if (!inserted) return 'known';
  }
  const { count } = await transaction.payment.updateMany({
    where: { merchantId, id: paymentId, version: change.version },
    data: paymentData(change, now),
  });
  if (count === 0) return 'moved_on';
  if (change.attempt !== undefined) {
    await transaction.attempt.update({
      where: { merchantId_id: { merchantId, id: change.attempt.attemptId } },
      data: attemptData(change.attempt, now),
    });
  }
  if (change.events.length > 0) {
    await transaction.timelineEvent.createMany({
      data: change.events.map(({ eventId, detail, ...event }) => ({
        ...event,
        merchantId,
        paymentId,
        id: eventId,
        detail: toPrismaJson(detail),
        createdAt: now,
      })),
    });
  }
  for (const announcement of announcements) await announceEvent(transaction, announcement, now);
  return 'applied';
}

function paymentData(change: PaymentChange, now: Date): Prisma.PaymentUpdateManyMutationInput {
  const statusEvent = change.events.findLast((event) => event.toStatus !== null);
  return {
    version: { increment: 1 },
    updatedAt: now,
    ...(statusEvent && { statusEventId: statusEvent.eventId, statusChangedAt: now }),
    ...(change.status && { status: change.status }),
    ...(change.late !== undefined && { late: change.late }),
    ...(change.gatewayReference !== undefined && { gatewayReference: change.gatewayReference }),
    ...(change.paidAttemptId !== undefined && { paidAttemptId: change.paidAttemptId }),
    ...(change.nextCheckAt !== undefined && { nextCheckAt: change.nextCheckAt }),
    ...(change.refundedAmount !== undefined && { refundedAmount: change.refundedAmount }),
    ...(change.review && { review: change.review.state, reviewReason: change.review.reason }),
    ...(change.received && {
      receivedAmount: change.received.amount,
      receivedCurrency: change.received.currency,
      feeAmount: change.received.fee,
      paidMethod: change.received.method,
      paidAt: change.received.paidAt ?? now,
    }),
  };
}

function attemptData(attempt: NonNullable<PaymentChange['attempt']>, now: Date): Prisma.AttemptUpdateInput {
  return {
    lastAskedAt: attempt.askedAt,
    updatedAt: now,
    ...(attempt.state && { state: attempt.state }),
    ...(attempt.duplicate !== undefined && { duplicate: attempt.duplicate }),
    ...(attempt.received && {
      receivedAmount: attempt.received.amount,
      receivedCurrency: attempt.received.currency,
      transactionId: attempt.received.transactionId,
    }),
  };
}
