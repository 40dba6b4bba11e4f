import { type Database, hintWorkers } from '@switchyard/db';
import { announcedRow, deliveryHints, type NewMerchantEvent } from '@switchyard/webhooks/events';
import type { FailureReason } from './failure-reason.ts';
import type { AttemptResult, NewTimelineEvent } from './payment-record.ts';
import { type DecisionToStore, packedDecision, packedSession, resultRow } from './statements.ts';

/** No checkout was opened, and none will be. */
export interface FailedInitiation {
  /** Null where it did not change. */
  readonly decision: DecisionToStore | null;
  readonly failureReason: FailureReason;
  /** The last attempt and its outcome; null when no account was eligible, or no attempt has a new outcome. */
  readonly attempt: AttemptResult | null;
  readonly event: NewTimelineEvent;
  readonly announcement: NewMerchantEvent;
  /** When attempts that may have opened a checkout without an answer are verified again; null when there are none. */
  readonly nextCheckAt: Date | null;
}

/** A row for the payment, none where another process has settled it, and one for each endpoint that its event goes to. */
const SETTLE_FAILED = 'SELECT endpoint AS "endpointId" FROM settle_failed_initiation($1, $2, $3)';

/**
 * Moves a payment from INITIATED to FAILED, with its attempt, its timeline event and the merchant's event, in one
 * transaction. False, with nothing changed, when another process has settled it.
 */
export async function settleFailedInitiation(
  database: Database,
  key: { readonly merchantId: string; readonly paymentId: string },
  { attempt, event, announcement, ...result }: FailedInitiation,
  now: Date,
): Promise<boolean> {
  const initiation = {
    payment_id: key.paymentId,
    failure_reason: result.failureReason,
    packed_decision: packedDecision(result.decision),
    packed_session: packedSession(key, null, []),
    at: now,
    event_id: event.eventId,
    cause: event.cause,
    detail: event.detail,
    next_check_at: result.nextCheckAt,
    ...(attempt !== null && resultRow(attempt)),
  };
  const { rows } = await database.pool.query<{ endpointId: string | null }>({
    name: 'settle-failed-initiation',
    text: SETTLE_FAILED,
    values: [key.merchantId, JSON.stringify(initiation), JSON.stringify([announcedRow(announcement, now)])],
  });
  hintWorkers(database, deliveryHints(key.merchantId, rows));
  return rows.length > 0;
}
