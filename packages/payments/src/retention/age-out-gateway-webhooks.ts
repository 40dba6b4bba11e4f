import { type Database, firstIdAt } from '@switchyard/db';
import { namedPayment } from '../initiate/plan.ts';
import { IS_UNFINISHED } from './evidence.ts';

// Ids follow the time at which webhooks were received.
const OLD = `
SELECT webhook.id FROM gateway_webhook AS webhook
WHERE webhook.merchant_id = $1 AND webhook.id < $2 AND NOT EXISTS (
  SELECT FROM attempt JOIN payment ON payment.merchant_id = $1 AND payment.id = attempt.payment_id
  WHERE attempt.merchant_id = $1 AND attempt.payment_id = ${namedPayment('webhook.reference')}
    AND attempt.account_id = webhook.account_id AND attempt.reference = webhook.reference AND ${IS_UNFINISHED})
ORDER BY webhook.id LIMIT $3`;

const DELETE = `
WITH old AS MATERIALIZED (
  SELECT id FROM gateway_webhook WHERE merchant_id = $1 AND id = ANY ($2::uuid[]) FOR UPDATE SKIP LOCKED),
to_follow AS (DELETE FROM webhook_follow_up WHERE merchant_id = $1 AND webhook_id IN (SELECT id FROM old))
DELETE FROM gateway_webhook WHERE merchant_id = $1 AND id IN (SELECT id FROM old)`;

/**
 * Deletes gateway webhooks received before a time, at most `limit` of them, oldest first; those about unfinished payments stay.
 * A repetition of a deleted one would be stored again and only cause a lookup: gateways stop repeating after less than four days.
 * Returns how many.
 */
export async function ageOutGatewayWebhooks(
  database: Database,
  merchantId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(OLD, [merchantId, firstIdAt(before.getTime()), limit]);
  const { rowCount } = await database.pool.query(DELETE, [merchantId, rows.map(({ id }) => id)]);
  return rowCount ?? 0;
}

const AGE_OUT_REFUSED = `
DELETE FROM refused_webhook WHERE merchant_id = $1 AND (account_id, why, hour_at) IN (
  SELECT account_id, why, hour_at FROM refused_webhook WHERE merchant_id = $1 AND hour_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes hourly counts of refused gateway webhooks from before a time, at most `limit` of them. Returns how many. */
export async function ageOutRefusedWebhooks(
  database: Database,
  merchantId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.pool.query(AGE_OUT_REFUSED, [merchantId, before, limit]);
  return rowCount ?? 0;
}
