import { type Database, type JsonWritable, toPrismaJson, transactWithHints } from '@switchyard/db';
import { announceEvent, type NewMerchantEvent } from '@switchyard/webhooks/events';
import type { FailureReason } from '../life-cycle/failure-reason.ts';
import type { AttemptResult, NewTimelineEvent } from '../life-cycle/payment-record.ts';
import { setNextCheck } from '../sweeping/queries.ts';

/** No checkout was opened, and none will be. */
export interface FailedInitiation {
  readonly routing: JsonWritable;
  readonly failureReason: FailureReason;
  /** The last attempt and its outcome; null when no account was eligible, or no attempt has a new outcome. */
  readonly attempt: AttemptResult | null;
  readonly event: NewTimelineEvent;
  readonly announcement: NewMerchantEvent;
  /** When attempts that may have opened a checkout without an answer are verified again; null when there are none. */
  readonly nextCheckAt: Date | null;
}

/**
 * Moves a payment from INITIATED to FAILED, with its attempt, its timeline event and the merchant's event, in one
 * transaction. False, with nothing changed, when another process has settled it.
 */
export async function settleFailedInitiation(
  database: Database,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  result: FailedInitiation,
  now: Date,
): Promise<boolean> {
  const { attempt, event, announcement, nextCheckAt } = result;
  return transactWithHints(database, async (transaction) => {
    const { count } = await transaction.payment.updateMany({
      where: { merchantId, id: paymentId, status: 'INITIATED' },
      data: {
        status: 'FAILED',
        failureReason: result.failureReason,
        fallbackGateways: [],
        routing: toPrismaJson(result.routing),
        statusEventId: event.eventId,
        statusChangedAt: now,
        updatedAt: now,
        version: { increment: 1 },
      },
    });
    if (count === 0) return false;
    await setNextCheck(transaction, { merchantId, paymentId }, nextCheckAt);
    if (attempt !== null) {
      const { attemptId, state, failure, latencyMs, call } = attempt;
      await transaction.attempt.update({
        where: { merchantId_id: { merchantId, id: attemptId } },
        data: {
          state,
          latencyMs,
          call: toPrismaJson(call),
          updatedAt: now,
          failureClass: failure?.class ?? null,
          failureCode: failure?.code ?? null,
          failureMessage: failure?.message ?? null,
        },
      });
    }
    const { eventId, detail, ...rest } = event;
    await transaction.timelineEvent.create({
      data: { ...rest, merchantId, paymentId, id: eventId, detail: toPrismaJson(detail), createdAt: now },
    });
    await announceEvent(transaction, announcement, now);
    return true;
  });
}
