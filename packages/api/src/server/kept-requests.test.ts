import { issueKey } from '@switchyard/merchants/console/api-keys';
import type { FinishedRequest } from '@switchyard/merchants/request-log';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { serveOverHttp } from '../testing/served.ts';
import { createTestMerchant, openTestSwitchyard, recordPayment } from '../testing/switchyard.ts';

let switchyard: Switchyard;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let close: () => Promise<void>;
let merchantId: string;
let key: { readonly id: string; readonly secretKey: string };
const kept: FinishedRequest[] = [];
let waiting: ((request: FinishedRequest) => void) | undefined;

beforeAll(async () => {
  const opened = await openTestSwitchyard();
  ({ switchyard, close } = opened);
  served = await serveOverHttp(switchyard, (request) => {
    kept.push(request);
    waiting?.(request);
  });
  merchantId = await createTestMerchant(switchyard, 'Kept');
  const issued = await issueKey(switchyard, {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'system:test',
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  key = { id: issued.key.id, secretKey: issued.secretKey };
  await switchyard.resources.configuration.refresh();
});
afterAll(async () => {
  await served.close();
  await close();
});
beforeEach(() => void kept.splice(0));

/** Sends a request and returns what is kept of it, with the response. */
async function send(path: string, init: RequestInit = {}): Promise<{ request: FinishedRequest; response: Response }> {
  const next = new Promise<FinishedRequest>((resolve) => {
    waiting = resolve;
  });
  const headers = { authorization: `Bearer ${key.secretKey}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(`${served.url}${path}`, { ...init, headers });
  return { request: await next, response };
}

test('a refused request is kept with its key, its id and both bodies', async () => {
  const requestId = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
  const body = '{"amount":0}';
  const { request, response } = await send('/v1/payments/initiate?x=1', {
    method: 'POST',
    body,
    headers: { 'x-request-id': requestId },
  });
  expect(request).toMatchObject({
    merchantId,
    mode: 'test',
    keyId: key.id,
    requestId,
    method: 'POST',
    path: '/v1/payments/initiate',
    status: 400,
    durationMs: expect.any(Number),
    paymentId: null,
  });
  expect(Buffer.from(request.refused?.request ?? []).toString()).toBe(body);
  expect(request.refused?.response).toBe(await response.text());
});

test('a request that was answered is kept without bodies, with the payment that it is about', async () => {
  const paymentId = await recordPayment(switchyard, merchantId, 'order-1');
  const { request } = await send(`/v1/payments/${paymentId}`);
  expect(request).toMatchObject({ method: 'GET', status: 200, paymentId, refused: null });
});

test.each([
  ['/compat/paystack/transaction/verify/none', 400],
  ['/compat/flutterwave/v3/transactions/verify_by_reference?tx_ref=none', 400],
  ['/v1/nothing', 404],
])('%s is kept as it was answered', async (path, status) => {
  const { request, response } = await send(path);
  expect(request).toMatchObject({ path: path.split('?', 1)[0], status: response.status, keyId: key.id });
  expect(response.status).toBe(status);
  expect(response.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  expect(request.refused?.response).toBe(await response.text());
});

test('a body that is too large is kept as no body', async () => {
  const { request } = await send('/v1/payments/initiate', { method: 'POST', body: `"${'a'.repeat(70_000)}"` });
  expect(request).toMatchObject({ status: 413 });
  expect(request.refused?.request).toHaveLength(0);
});

test('a request without a valid key belongs to no merchant and is not kept', async () => {
  const response = await fetch(`${served.url}/v1/payments`, { headers: { authorization: 'Bearer sk_test_none' } });
  expect(response.status).toBe(401);
  await response.text();
  await send('/v1/nothing');
  expect(kept).toHaveLength(1);
});
