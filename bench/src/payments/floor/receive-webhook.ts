import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Answer, database, newId, refuse, settings } from './connections.ts';

const STORE = `
INSERT INTO floor.gateway_webhook (merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id, body, state,
  received_at)
VALUES ($1, $2, $3, 'paystack', $4, $5, $6, $7, $8, 'RECEIVED', $9)
ON CONFLICT (merchant_id, account_id, dedupe_key) DO NOTHING`;

/** Checks the signature over the bytes and stores the webhook once, to be followed up from its row. */
export async function receiveWebhook(bytes: Buffer, signature: unknown): Promise<Answer> {
  const expected = createHmac('sha512', settings.gatewaySecret).update(bytes).digest();
  const given = Buffer.from(typeof signature === 'string' ? signature : '', 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return refuse(401, 'Signature refused');
  const text = bytes.toString();
  const { event, data } = JSON.parse(text);
  const { merchantId, accountId } = settings;
  const about = [`${event}:${data.id}`, event, data.reference, String(data.id)];
  await database.query({ name: 'store', text: STORE, values: [merchantId, newId(), accountId, ...about, text, new Date()] });
  return { status: 200, body: { message: 'OK' } };
}
