/*
 * The floor: the least that a program written by hand for these requests alone would do, as a measure of what the product adds.
 * node:http, prepared statements, keep-alive calls; the same rows durable at the same moments, in tables with the same columns and
 * indexes, and answers of the same size. No routing, no health, no rate limit, no roll-ups, no log.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Pool } from 'undici';
import { floorSettingsSchema } from './floor-settings.ts';

const settings = floorSettingsSchema.parse(JSON.parse(process.env.FLOOR_SETTINGS ?? '{}'));
const { merchantId, accountId } = settings;
const routing: unknown = JSON.parse(settings.routing);
const inputs: unknown = JSON.parse(settings.routingInputs);
const fallbacks: unknown = JSON.parse(settings.fallbackGateways);
const keyHash = Buffer.from(settings.keyHash, 'hex');
const database = new pg.Pool({ connectionString: settings.databaseUrl, max: 16 });
const gateway = new Pool(settings.gatewayOrigin, { connections: 128, pipelining: 1 });
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

const GET = `
SELECT id, merchant_order_id, status, amount, currency, recommended_gateway, session, fallback_gateways, routing, created_at, updated_at
FROM floor.payment WHERE merchant_id = $1 AND id = $2`;

/** A UUIDv7, as the product's ids are: rows of one time lie together in the indexes. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

function isKnownKey(authorization = ''): boolean {
  const given = createHmac('sha256', 'floor').update(authorization.slice('Bearer '.length)).digest();
  return timingSafeEqual(given, keyHash);
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function initiate(text: string): Promise<Answer> {
  const order = JSON.parse(text);
  const { merchantOrderId, amount, currency, customer, paymentMethod } = order;
  if (typeof merchantOrderId !== 'string' || !Number.isSafeInteger(amount) || !/^[A-Z]{3}$/.test(currency)) return bad();
  if (typeof customer?.email !== 'string' || paymentMethod !== 'card') return bad();
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
  if (reserved.rowCount === 0) return { status: 409, body: { success: false, statusCode: 409, message: 'Taken', data: null } };
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
    executionStatus: 'AWAITING_PAYMENT',
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

async function get(id: string): Promise<Answer> {
  const { rows } = await database.query({ name: 'get', text: GET, values: [merchantId, id] });
  const [row] = rows;
  if (row === undefined)
    return { status: 404, body: { success: false, statusCode: 404, message: 'Payment not found', data: null } };
  const data = {
    paymentId: row.id,
    merchantOrderId: row.merchant_order_id,
    status: row.status,
    executionStatus: 'AWAITING_PAYMENT',
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

function bad(): Answer {
  return { status: 400, body: { success: false, statusCode: 400, message: 'Bad request', data: null } };
}

function serve({ method, url = '', headers }: IncomingMessage, text: string): Promise<Answer> | Answer {
  if (!isKnownKey(headers.authorization))
    return { status: 401, body: { success: false, statusCode: 401, message: 'Invalid API key' } };
  if (method === 'POST' && url === '/v1/payments/initiate') return initiate(text);
  return get(url.slice('/v1/payments/'.length));
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const { status, body } = await serve(request, Buffer.concat(chunks).toString());
      const bytes = Buffer.from(JSON.stringify(body));
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
        .end(bytes);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
});
process.on('disconnect', () => process.exit(0));
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
process.send?.({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
