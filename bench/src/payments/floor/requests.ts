import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Answer, askGateway, database, newId, refuse, settings } from './settings.ts';

const FIND = `
SELECT payment.status, payment.amount, payment.currency, payment.merchant_order_id, payment.version, attempt.id AS attempt_id,
  attempt.reference
FROM floor.payment JOIN floor.attempt ON attempt.merchant_id = payment.merchant_id AND attempt.id = payment.current_attempt_id
WHERE payment.merchant_id = $1 AND payment.id = $2`;

const SUCCEED = `
WITH paid AS (
  UPDATE floor.payment SET status = 'SUCCESS', received_amount = $4, received_currency = $5, fee_amount = $6, paid_method = 'CARD',
    paid_at = $7, next_check_at = NULL, status_event_id = $8, status_changed_at = $7, updated_at = $7, version = version + 1
  WHERE merchant_id = $1 AND id = $2 AND version = $9 RETURNING merchant_id, id, version),
attempt AS (
  UPDATE floor.attempt SET state = 'PAID', received_amount = $4, received_currency = $5, transaction_id = $10, last_asked_at = $7,
    updated_at = $7
  FROM paid WHERE attempt.merchant_id = $1 AND attempt.id = $3),
event AS (
  INSERT INTO floor.timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  SELECT merchant_id, $8, id, 'payment.succeeded', 'PENDING', 'SUCCESS', 'api', $11, $7 FROM paid)
INSERT INTO floor.merchant_event (merchant_id, id, mode, payment_id, position, type, body, created_at)
SELECT merchant_id, $8, 'test', id, version, 'payment.succeeded', $12, $7 FROM paid`;

/** Reads the payment, asks the gateway, and records that it was paid, with the merchant's event, in one statement. */
export async function verify(id: string): Promise<Answer> {
  const { merchantId } = settings;
  const { rows } = await database.query({ name: 'find', text: FIND, values: [merchantId, id] });
  const [row] = rows;
  if (row === undefined) return refuse(404, 'Payment not found');
  const found = await askGateway(row.reference);
  const [amount, fee] = [found.amount / 100, (found.fees ?? 0) / 100];
  if (found.status !== 'success' || amount !== Number(row.amount)) return refuse(400, 'Not paid');
  const [eventId, now] = [newId(), new Date()];
  const transactionId = String(found.id);
  const detail = { amount: String(amount), currency: row.currency, transactionId, gateway: 'paystack', late: false };
  const record = {
    id: eventId,
    type: 'payment.succeeded',
    createdAt: now,
    merchantNumber: settings.merchantNumber,
    data: {
      paymentId: id,
      merchantOrderId: row.merchant_order_id,
      status: 'SUCCESS',
      executionStatus: 'succeeded',
      currency: row.currency,
      amount,
      gatewayReference: row.reference,
    },
  };
  const money = [amount, row.currency, fee, now, eventId, row.version, transactionId];
  const json = [JSON.stringify(detail), JSON.stringify(record)];
  await database.query({ name: 'succeed', text: SUCCEED, values: [merchantId, id, row.attempt_id, ...money, ...json] });
  return { status: 200, body: { status: true, statusCode: 200, message: 'Payment has already succeeded', data: record } };
}

const GET = `
SELECT id, merchant_order_id, status, amount, currency, recommended_gateway, session, fallback_gateways, routing, created_at, updated_at
FROM floor.payment WHERE merchant_id = $1 AND id = $2`;

export async function get(id: string): Promise<Answer> {
  const { rows } = await database.query({ name: 'get', text: GET, values: [settings.merchantId, id] });
  const [row] = rows;
  if (row === undefined) return refuse(404, 'Payment not found');
  const data = {
    paymentId: row.id,
    merchantOrderId: row.merchant_order_id,
    status: row.status,
    executionStatus: 'processing',
    currency: row.currency,
    amount: Number(row.amount),
    recommendedGateway: { name: row.recommended_gateway, session: row.session },
    fallbackGateways: row.fallback_gateways,
    routing: row.routing,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { status: 200, body: { status: true, statusCode: 200, message: 'Payment retrieved', data } };
}

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
