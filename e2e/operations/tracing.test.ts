import { createServer, type Server } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { type Installation, prepareInstallation, type SpawnedWeb, spawnWeb } from './web-processes.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CANARY = 'canary-tracing@example.com';
const REQUEST_ID = '7d9f1c52-0b61-4d0e-9f43-1d8e6f2d3c4b';

const attributeSchema = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          scope: z.object({ name: z.string() }),
          spans: z.array(z.object({ traceId: z.string(), name: z.string(), attributes: z.array(attributeSchema) })),
        }),
      ),
    }),
  ),
});

let installation: Installation;
let receiver: Server;
let web: SpawnedWeb;
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
  web = await spawnWeb(installation.environment, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    LOG_LEVEL: 'debug',
  });
});
afterAll(async () => {
  await web?.terminate();
  receiver?.close();
  await installation?.close();
});

function spansOfTrace(): { scope: string; name: string }[] {
  return received.flatMap((text) =>
    exportSchema
      .parse(JSON.parse(text))
      .resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ scope, spans }) =>
          spans.filter(({ traceId }) => traceId === TRACE_ID).map(({ name }) => ({ scope: scope.name, name })),
        ),
      ),
  );
}

test('one trace continues the caller’s through web, gateway and database, and holds no secret', async () => {
  const answer = await fetch(`${web.url}/v1/payments/initiate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${installation.merchant.testKey}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
      'x-request-id': REQUEST_ID,
    },
    body: JSON.stringify({
      merchantOrderId: 'canary-order-9',
      amount: 2_500,
      currency: 'NGN',
      customer: { email: CANARY, phone: '+2348099999999' },
      metadata: { note: CANARY },
    }),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-request-id')).toBe(REQUEST_ID);
  await answer.text();
  const spans = await eventually('spans of all three', async () => {
    const found = spansOfTrace();
    const scopes = new Set(found.map(({ scope }) => scope.replace('@opentelemetry/instrumentation-', '')));
    return ['http', 'pg', 'undici'].every((scope) => scopes.has(scope)) ? found : undefined;
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
