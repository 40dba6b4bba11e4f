import type { PaymentsContext } from '../context.ts';

const BATCH = 500;
const ROUND_MS = 10_000;

/** Locked rows are left to the next round: nothing waits for this. */
const FILL = `
WITH due AS (
  SELECT merchant_id, id, status_event_id FROM payment WHERE status = 'FAILED' AND failure_reason IS NULL
  LIMIT $1 FOR UPDATE SKIP LOCKED)
UPDATE payment SET failure_reason = CASE
    WHEN event.detail->>'reason' IN ('no_eligible_provider', 'every_gateway_failed', 'session_expired', 'review_closed')
      THEN event.detail->>'reason'
    WHEN event.detail->>'refundId' IS NOT NULL THEN 'review_refunded'
    ELSE 'declined' END
FROM due LEFT JOIN timeline_event AS event ON event.merchant_id = due.merchant_id AND event.id = due.status_event_id
WHERE payment.merchant_id = due.merchant_id AND payment.id = due.id`;

/**
 * Fills in why payments failed that were written without a reason, by a version of the product that had none: from their timelines, in
 * short transactions. Returns how many; with nothing left it costs one look at an empty index.
 */
export async function fillFailureReasons({ resources }: Pick<PaymentsContext, 'resources'>): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let filled = 0;
  for (;;) {
    const { rowCount } = await resources.database.pool.query(FILL, [BATCH]);
    filled += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH || performance.now() > end) return filled;
  }
}
