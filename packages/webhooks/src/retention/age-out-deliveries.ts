import type { Database } from '@switchyard/db';

const DELETE_DELIVERIES = `
WITH old AS (
  SELECT delivery.id
  FROM webhook_endpoint AS endpoint JOIN webhook_delivery AS delivery
    ON delivery.merchant_id = endpoint.merchant_id AND delivery.endpoint_id = endpoint.id
  WHERE endpoint.merchant_id = $1 AND delivery.created_at < $2 AND delivery.updated_at < $2
    AND (delivery.state <> 'PENDING' OR NOT endpoint.enabled)
  LIMIT $3 FOR UPDATE OF delivery SKIP LOCKED),
attempts AS (
  DELETE FROM webhook_delivery_attempt WHERE merchant_id = $1 AND delivery_id IN (SELECT id FROM old))
DELETE FROM webhook_delivery WHERE merchant_id = $1 AND id IN (SELECT id FROM old)`;

/** Per mode, because the index that has them in order does. */
const DELETE_EVENTS = `
DELETE FROM merchant_event WHERE merchant_id = $1 AND id IN (
  SELECT event.id FROM unnest(enum_range(NULL::mode)) AS one (mode) CROSS JOIN LATERAL (
    SELECT old.id FROM merchant_event AS old
    WHERE old.merchant_id = $1 AND old.mode = one.mode AND old.created_at < $2 AND NOT EXISTS (
      SELECT FROM webhook_endpoint AS endpoint JOIN webhook_delivery AS delivery
        ON delivery.merchant_id = endpoint.merchant_id AND delivery.endpoint_id = endpoint.id AND delivery.event_id = old.id
      WHERE endpoint.merchant_id = $1)
    ORDER BY old.created_at, old.id LIMIT $3) AS event)`;

const DELETE_RESENDS = `
DELETE FROM webhook_resend WHERE merchant_id = $1 AND id IN (
  SELECT id FROM webhook_resend WHERE merchant_id = $1 AND finished_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/**
 * Deletes what was sent to a merchant's webhook endpoints and last changed before a time: deliveries with their attempts, then events
 * that no delivery is left of, then resends; at most `limit` of each, in three short statements. A delivery that is still to be tried
 * stays, with its event. Returns how many deliveries, events and resends.
 */
export async function ageOutDeliveries({ pool }: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  let removed = 0;
  for (const statement of [DELETE_DELIVERIES, DELETE_EVENTS, DELETE_RESENDS]) {
    const { rowCount } = await pool.query(statement, [merchantId, before, limit]);
    removed += rowCount ?? 0;
  }
  return removed;
}
