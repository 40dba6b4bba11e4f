import { type Answer, askGateway, database, newId, refuse, settings } from './connections.ts';

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
