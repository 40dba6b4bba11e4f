import { type Answer, database, gateway, newId, refuse, settings } from './settings.ts';

const { merchantId, accountId } = settings;
const routing: unknown = JSON.parse(settings.routing);
const inputs: unknown = JSON.parse(settings.routingInputs);
const fallbacks: unknown = JSON.parse(settings.fallbackGateways);
const SESSION_MS = 3_600_000;
const CHECK_AFTER_MS = 60_000;

const RESERVE = `
WITH reserved AS (
  INSERT INTO floor.payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, payment_method,
    routing_mode, smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, recommended_gateway, fallback_gateways,
    expires_at, next_check_at, version, status_event_id, status_changed_at, created_at, updated_at)
  VALUES ($1, $2, 'test', $3, 'INITIATED', $4, $5, $6, $7, 'smart', false, 1, 'small-cards', $8, $9, 'paystack', $10, $11,
    now() + interval '30 seconds', 1, $12, $13, $13, $13)
  ON CONFLICT (merchant_id, mode, merchant_order_id) DO NOTHING
  RETURNING merchant_id, id),
event AS (
  INSERT INTO floor.timeline_event (merchant_id, id, payment_id, type, to_status, cause, detail, created_at)
  SELECT merchant_id, $12, id, 'payment.initiated', 'INITIATED', 'api', '{}', $13 FROM reserved),
attempt AS (
  INSERT INTO floor.attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  SELECT merchant_id, $14, id, 0, $15, 'paystack', $16, 'STARTED', $13, $13 FROM reserved)
SELECT id FROM reserved`;

const SETTLE = `
WITH settled AS (
  UPDATE floor.payment SET status = 'PENDING', session = $3, gateway_reference = $4, current_attempt_id = $5, account_id = $6,
    account_gateway = 'paystack', status_event_id = $7, status_changed_at = $8, updated_at = $8, next_check_at = $9,
    version = version + 1
  WHERE merchant_id = $1 AND id = $2 AND status = 'INITIATED' RETURNING merchant_id, id),
event AS (
  INSERT INTO floor.timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  SELECT merchant_id, $7, id, 'payment.pending', 'INITIATED', 'PENDING', 'api', $10, $8 FROM settled),
attempt AS (
  UPDATE floor.attempt SET state = 'OPENED', latency_ms = $11, call = $12, updated_at = $8
  FROM settled WHERE attempt.merchant_id = $1 AND attempt.id = $5)
SELECT id FROM settled`;

/** Two durable moments, with the gateway's call between them. */
export async function initiate(text: string): Promise<Answer> {
  const order = JSON.parse(text);
  const { merchantOrderId, amount, currency, customer, paymentMethod } = order;
  if (typeof merchantOrderId !== 'string' || !Number.isSafeInteger(amount) || !/^[A-Z]{3}$/.test(currency))
    return refuse(400, 'Bad request');
  if (typeof customer?.email !== 'string' || paymentMethod !== 'card') return refuse(400, 'Bad request');
  const [id, attemptId, eventId, now] = [newId(), newId(), newId(), new Date()];
  const reference = `sy${id.replaceAll('-', '')}00`;
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  const json = [JSON.stringify(routing), JSON.stringify(inputs), JSON.stringify(fallbacks)];
  const facts = [merchantId, id, merchantOrderId, amount, currency, customer.email, 'CARD', ...json, expiresAt, eventId, now];
  const reserved = await database.query({
    name: 'reserve',
    text: RESERVE,
    values: [...facts, attemptId, accountId, reference],
  });
  if (reserved.rowCount === 0) return refuse(409, 'Taken');
  const callbackUrl = `${settings.publicUrl}/checkout/${id}/${accountId}/return`;
  const sent = JSON.stringify({
    email: customer.email,
    amount: String(amount * 100),
    currency,
    reference,
    callback_url: callbackUrl,
    channels: ['card'],
    metadata: {
      payment_id: id,
      cancel_action: `${callbackUrl}?reference=${reference}&status=cancelled`,
      custom_fields: [{ display_name: 'Payment', variable_name: 'payment_id', value: id }],
    },
  });
  const path = '/transaction/initialize';
  const calledAt = performance.now();
  const reply = await gateway.request({ method: 'POST', path, headers: settings.gatewayHeaders, body: sent });
  const said = await reply.body.text();
  const latencyMs = Math.round(performance.now() - calledAt);
  const opened = JSON.parse(said).data;
  if (reply.statusCode !== 200 || opened.reference !== reference) throw new Error(`the gateway answered ${reply.statusCode}`);
  const raw = { reference, access_code: opened.access_code, authorization_url: opened.authorization_url };
  const session = {
    raw,
    gateway: 'paystack',
    reference,
    accessCode: opened.access_code,
    redirectUrl: opened.authorization_url,
    metadata: {
      mode: 'test',
      paymentId: id,
      merchantId,
      callbackUrl,
      redirectUrl: `${settings.publicUrl}/checkout/${id}/${accountId}`,
      merchantOrderId,
      referencePrefix: '',
      fallbackGateways: fallbacks,
    },
  };
  const url = settings.gatewayOrigin + path;
  const call = { method: 'POST', url, httpStatus: 200, latencyMs, request: sent, answer: said, retryAfterMs: null };
  const settledAt = new Date();
  const nextCheckAt = new Date(settledAt.getTime() + CHECK_AFTER_MS);
  const detail = JSON.stringify({ gateway: 'paystack', reference });
  const results = [JSON.stringify(session), reference, attemptId, accountId, newId(), settledAt, nextCheckAt, detail];
  await database.query({
    name: 'settle',
    text: SETTLE,
    values: [merchantId, id, ...results, latencyMs, JSON.stringify(call)],
  });
  const data = {
    paymentId: id,
    merchantOrderId,
    status: 'PENDING',
    executionStatus: 'processing',
    currency,
    amount,
    recommendedGateway: { name: 'paystack', session },
    fallbackGateways: fallbacks,
    routingMode: 'smart',
    requestedGateway: null,
    smartRoutingBypassed: false,
    routing,
    createdAt: now,
    updatedAt: settledAt,
  };
  return { status: 200, body: { status: true, statusCode: 200, message: 'Payment initiated', data } };
}
