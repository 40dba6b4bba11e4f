/*
 * The floor: the least that a program written by hand for these requests alone would do, as a measure of what the product adds.
 * node:http, prepared statements, keep-alive calls; the same rows durable at the same moments, in tables with the same columns and
 * indexes, and answers of the same size. No routing, no health, no rate limit, no roll-ups, no log.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkOverdue } from './check-overdue.ts';
import { deliverEvents } from './deliver-events.ts';
import { initiate } from './initiate.ts';
import { get, receiveWebhook, verify } from './requests.ts';
import { type Answer, refuse, settings } from './settings.ts';

const keyHash = Buffer.from(settings.keyHash, 'hex');
const PAYMENTS = '/v1/payments/';

function isKnownKey(authorization = ''): boolean {
  const given = createHmac('sha256', 'floor').update(authorization.slice('Bearer '.length)).digest();
  return timingSafeEqual(given, keyHash);
}

async function serve({ method, url = '', headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  if (url.startsWith('/webhooks/')) return receiveWebhook(body, headers['x-paystack-signature']);
  if (!isKnownKey(headers.authorization)) return refuse(401, 'Invalid API key');
  const path = url.slice(PAYMENTS.length);
  if (method === 'GET') return get(path);
  if (path === 'initiate') return initiate(body.toString());
  if (path.endsWith('/verify')) return verify(path.slice(0, -'/verify'.length));
  if (path === 'deliver-events') return deliverEvents();
  if (path === 'check-overdue') return checkOverdue();
  return refuse(404, 'Resource not found');
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const { status, body } = await serve(request, Buffer.concat(chunks));
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
