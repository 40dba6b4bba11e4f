import { createHmac } from 'node:crypto';
import { type Answer, database, gateway, settings } from './settings.ts';

/** As many at once as the product sends to one endpoint. */
const AT_ONCE = 4;
const LEASE_MS = 60_000;

const CLAIM = `
WITH next AS (
  SELECT merchant_id, id FROM floor.webhook_delivery
  WHERE merchant_id = $1 AND endpoint_id = $2 AND state = 'PENDING' AND next_attempt_at <= $3
  ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED),
claimed AS (
  UPDATE floor.webhook_delivery AS delivery SET next_attempt_at = $4, attempts = attempts + 1, round_attempts = round_attempts + 1,
    updated_at = $3
  FROM next WHERE delivery.merchant_id = next.merchant_id AND delivery.id = next.id RETURNING delivery.*)
SELECT claimed.id, claimed.attempts, event.id AS event_id, event.body
FROM claimed JOIN floor.merchant_event AS event ON event.merchant_id = claimed.merchant_id AND event.id = claimed.event_id`;

const SETTLE = `
WITH logged AS (
  INSERT INTO floor.webhook_delivery_attempt (merchant_id, delivery_id, number, endpoint_id, url, started_at, duration_ms, delivered,
    status, answer)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10))
UPDATE floor.webhook_delivery SET state = 'DELIVERED', delivered_at = $11, next_attempt_at = NULL, last_status = $9, updated_at = $11
WHERE merchant_id = $1 AND id = $2 AND attempts = $3`;

/** Sends every event that is due, signed, and records each answer. */
export async function deliverEvents(): Promise<Answer> {
  await Promise.all(Array.from({ length: AT_ONCE }, sendWhileDue));
  return { status: 200, body: {} };
}

async function sendWhileDue(): Promise<void> {
  const { merchantId, endpointId, endpointSecret } = settings;
  for (;;) {
    const startedAt = new Date();
    const lease = [startedAt, new Date(startedAt.getTime() + LEASE_MS)];
    const { rows } = await database.query({ name: 'claim', text: CLAIM, values: [merchantId, endpointId, ...lease] });
    const [row] = rows;
    if (row === undefined) return;
    const timestamp = Math.floor(startedAt.getTime() / 1_000);
    const signature = createHmac('sha256', endpointSecret).update(`${row.event_id}.${timestamp}.${row.body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': row.event_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    const reply = await gateway.request({ method: 'POST', path: settings.endpointPath, headers, body: row.body });
    const answer = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`the endpoint answered ${reply.statusCode}`);
    const endedAt = new Date();
    const url = settings.gatewayOrigin + settings.endpointPath;
    const attempt = [
      row.id,
      row.attempts,
      endpointId,
      url,
      startedAt,
      endedAt.getTime() - startedAt.getTime(),
      true,
      200,
      answer,
    ];
    await database.query({ name: 'deliver', text: SETTLE, values: [merchantId, ...attempt, endedAt] });
  }
}
