import { createServer, type Server } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { openSwitchyard } from '@switchyard/api/process';
import { TEST_CONNECTION } from '@switchyard/db/testing';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { openReceiver, type Receiver } from '@switchyard/webhooks/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { type Installation, prepareInstallation, type SpawnedWeb, spawnWeb, spawnWorker } from './processes.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PAID_TRACE_ID = 'a3ce929d0e0e47364bf92f3577b34da6';
const VERIFIED_TRACE_ID = '0e47364bf92f3577b34da6a3ce929d0e';
/** Another process, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;
const CANARY = 'canary-tracing@example.com';
const REQUEST_ID = '7d9f1c52-0b61-4d0e-9f43-1d8e6f2d3c4b';

const attributeSchema = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          scope: z.object({ name: z.string() }),
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().exactOptional(),
              name: z.string(),
              attributes: z.array(attributeSchema),
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

let installation: Installation;
let receiver: Server;
let web: SpawnedWeb;
let merchantServer: Receiver;
let tracing: Readonly<Record<string, string>>;
const received: string[] = [];

beforeAll(async () => {
  installation = await prepareInstallation();
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      received.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const address = receiver.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`, OTEL_BSP_SCHEDULE_DELAY: '200' };
  web = await spawnWeb(installation.environment, { ...tracing, LOG_LEVEL: 'debug' });
  merchantServer = await openReceiver();
});
afterAll(async () => {
  await web?.terminate();
  receiver?.close();
  await merchantServer?.close();
  await installation?.close();
});

/** Every span that was sent so far, with the library that made it. */
function allSpans() {
  return received.flatMap((text) =>
    exportSchema
      .parse(JSON.parse(text))
      .resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ ...span, scope: scope.name }))),
      ),
  );
}

/** The libraries whose spans a trace has. */
function scopesOf(traceId: string): ReadonlySet<string> {
  const spans = allSpans().filter((span) => span.traceId === traceId);
  return new Set(spans.map(({ scope }) => scope.replace('@opentelemetry/instrumentation-', '')));
}

function post(path: string, traceId: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${web.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${installation.merchant.testKey}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

test('one trace continues the caller’s through web, gateway and database, and holds no secret', async () => {
  const order = {
    merchantOrderId: 'canary-order-9',
    amount: 2_500,
    currency: 'NGN',
    customer: { email: CANARY, phone: '+2348099999999' },
    metadata: { note: CANARY },
  };
  const answer = await post('/v1/payments/initiate', TRACE_ID, order, { 'x-request-id': REQUEST_ID });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-request-id')).toBe(REQUEST_ID);
  await answer.text();
  const spans = await eventually('spans of all three', async () => {
    const scopes = scopesOf(TRACE_ID);
    if (!['http', 'pg', 'undici'].every((scope) => scopes.has(scope))) return undefined;
    return allSpans().filter(({ traceId }) => traceId === TRACE_ID);
  });
  expect(spans.map(({ name }) => name)).toContain('POST /v1/payments/initiate');
  const log = web.output.join('');
  const line = log.split('\n').find((text) => text.includes(REQUEST_ID)) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/payments/initiate',
    'http.response.status_code': 200,
    request_id: REQUEST_ID,
    trace_id: TRACE_ID,
    'switchyard.merchant_id': expect.any(String),
    'switchyard.payment_id': expect.any(String),
  });
  for (const secret of [...installation.secrets, installation.merchant.testKey, CANARY, 'canary-order-9', '+2348099999999']) {
    expect(received.join('')).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
});

async function createMerchantEndpoint(): Promise<void> {
  const switchyard = openSwitchyard(installation.environment, { write: () => undefined }, TEST_CONNECTION);
  const { merchantId } = installation.merchant;
  const endpoint = { merchantId, mode: 'test', url: merchantServer.url, description: '', types: [], actor: 'staff:ada' } as const;
  const outcome = await createEndpoint(switchyard, endpoint);
  await switchyard.close();
  expect(outcome.kind).toBe('created');
}

const initiatedSchema = z.object({
  data: z.object({
    paymentId: z.string(),
    recommendedGateway: z.object({ name: z.enum(['paystack', 'flutterwave']), session: z.object({ reference: z.string() }) }),
  }),
});

test('the event that a merchant receives leads back to the request that began its payment, and to the gateway call', {
  timeout: TIMEOUT_MS,
}, async () => {
  await createMerchantEndpoint();
  const order = { merchantOrderId: 'traced-order-1', amount: 2_500, currency: 'NGN', customer: { email: CANARY } };
  const answer = await post('/v1/payments/initiate', PAID_TRACE_ID, order);
  const { paymentId, recommendedGateway } = initiatedSchema.parse(await answer.json()).data;
  await installation.gateways.settle(recommendedGateway.name, recommendedGateway.session.reference, 'success');
  const verified = await post(`/v1/payments/${paymentId}/verify`, VERIFIED_TRACE_ID, {});
  expect(await verified.json()).toMatchObject({ data: { type: 'payment.succeeded' } });

  const worker = spawnWorker({ ...installation.environment, ...tracing });
  const event = await eventually('the merchant has the event', async () => merchantServer.received[0]);
  expect(await worker.terminate()).toBe(0);

  const isOfEvent = ({ attributes }: { attributes: readonly z.output<typeof attributeSchema>[] }) =>
    attributes.some(({ key, value }) => key === 'messaging.message.id' && value.stringValue === event.headers['webhook-id']);
  const sent = await eventually('its span', async () => allSpans().find(isOfEvent));
  expect(sent.name).toBe('deliver payment.succeeded');
  const request = allSpans().find(({ parentSpanId }) => parentSpanId === sent.spanId);
  expect(request, 'the HTTP request to the merchant is within the span').toMatchObject({ name: 'POST', traceId: sent.traceId });

  const [link, ...others] = sent.links;
  expect(others).toEqual([]);
  expect(link?.traceId).toBe(PAID_TRACE_ID);
  const begun = allSpans().filter(({ traceId }) => traceId === PAID_TRACE_ID);
  expect(begun.find(({ spanId }) => spanId === link?.spanId)?.name).toBe('POST /v1/payments/initiate');
  expect(scopesOf(PAID_TRACE_ID), 'the gateway call is in the linked trace').toContain('undici');
  expect(received.join('')).not.toContain(CANARY);
});
