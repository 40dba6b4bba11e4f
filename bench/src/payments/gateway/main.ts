/*
 * The gateway of the benchmark: Paystack's answers, written from its documentation, after a fixed time and at as little CPU as
 * possible. Also receives the merchant's events. Its parent sets how long it takes and whether customers have paid, and may ask how
 * many calls it had.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { type GatewayCalls, gatewaySettingsSchema, transactionId } from './settings.ts';

const orderSchema = z.object({ reference: z.string(), amount: z.coerce.number() });

/** Every order of the benchmark. */
const KOBO = 250_000;
const settings = { latencyMs: 5, paid: false };
let calls: GatewayCalls = noCalls();

const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => answer(request, body, response));
});
server.keepAliveTimeout = 60_000;

function answer({ method, url = '' }: IncomingMessage, body: string, response: ServerResponse): void {
  if (url.startsWith('/events')) {
    count('events');
    send(response, 200, '{}', 0);
  } else if (method === 'POST' && url.endsWith('/transaction/initialize')) {
    count('opened');
    send(response, 200, opened(body), settings.latencyMs);
  } else if (method === 'GET' && url.includes('/transaction/verify/')) {
    count('verified');
    send(response, 200, transaction(decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))), settings.latencyMs);
  } else {
    count('refused');
    send(response, 404, '{"status":false,"message":"Transaction reference not found","code":"transaction_not_found"}', 0);
  }
}

function noCalls(): GatewayCalls {
  return { opened: 0, verified: 0, refused: 0, events: 0, firstAt: 0, lastAt: 0 };
}

function count(kind: 'opened' | 'verified' | 'refused' | 'events'): void {
  const now = performance.now();
  if (calls.firstAt === 0) calls.firstAt = now;
  calls.lastAt = now;
  calls[kind] += 1;
}

function send(response: ServerResponse, status: number, body: string, afterMs: number): void {
  const write = (): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  };
  if (afterMs === 0) write();
  else setTimeout(write, afterMs);
}

function opened(body: string): string {
  const { reference } = orderSchema.parse(JSON.parse(body));
  const accessCode = reference.slice(-15);
  const data = { authorization_url: `${origin}/checkout/${accessCode}`, access_code: accessCode, reference };
  return JSON.stringify({ status: true, message: 'Authorization URL created', data });
}

function transaction(reference: string): string {
  const at = new Date().toISOString();
  const { paid } = settings;
  const data = {
    id: transactionId(reference),
    domain: 'test',
    status: paid ? 'success' : 'abandoned',
    reference,
    receipt_number: null,
    amount: KOBO,
    requested_amount: KOBO,
    message: null,
    gateway_response: paid ? 'Successful' : 'The transaction was not completed',
    paid_at: paid ? at : null,
    created_at: at,
    channel: 'card',
    currency: 'NGN',
    ip_address: '127.0.0.1',
    fees: paid ? 3_750 : null,
    authorization: paid ? { authorization_code: 'AUTH_bench', bin: '408408', last4: '4081', channel: 'card' } : {},
    customer: { id: 1, email: 'ada@example.com', customer_code: 'CUS_bench' },
  };
  return JSON.stringify({ status: true, message: 'Verification successful', data });
}

process.on('message', (message) => {
  const { reset, ...changed } = gatewaySettingsSchema.parse(message);
  Object.assign(settings, changed);
  if (reset) calls = noCalls();
  process.send?.(calls);
});
process.on('disconnect', () => process.exit(0));
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const { port } = server.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;
process.send?.({ origin });
