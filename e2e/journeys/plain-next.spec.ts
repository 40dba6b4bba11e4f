import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { demo, expect, test } from './fixtures/test.ts';

const WEB = join(import.meta.dirname, '../../apps/web');
const NEXT = join(import.meta.dirname, '../../node_modules/next/dist/bin/next');
/** It loads the whole application before it answers: nothing but work of the processor, which a busy machine does slowly. */
const START_WITHIN_MS = 120_000;

let plain: { url: string; process: ChildProcess };

/** The environment of the running stack is stored beside its demo file. */
function stackEnvironment(): Record<string, string | undefined> {
  const file = process.env.DEMO_FILE;
  if (file === undefined) throw new Error('DEMO_FILE must name the demo file of a running stack');
  return { ...process.env, ...parseEnv(readFileSync(join(dirname(file), 'env'), 'utf8')), NODE_ENV: 'production' };
}

test.beforeAll(async () => {
  const port = await reservePort();
  const child = spawn(process.execPath, [NEXT, 'start', '-p', String(port), '-H', '127.0.0.1'], {
    cwd: WEB,
    env: stackEnvironment(),
    stdio: 'ignore',
  });
  plain = { url: `http://127.0.0.1:${port}`, process: child };
  const isUp = () =>
    fetch(`${plain.url}/api/health`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isUp, { timeout: START_WITHIN_MS }).toBe(200);
});

test.afterAll(() => {
  plain.process.kill('SIGTERM');
});

interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly key?: string | null;
  readonly type?: string;
  readonly body?: string;
}

const json = 'application/json';
const order = { amount: 1, currency: 'NGN', customer: { email: 'x' } };

const QUESTIONS: readonly SampleRequest[] = [
  { method: 'GET', path: '/v1/payments/0190a0a0-0000-7000-8000-000000000000' },
  { method: 'GET', path: '/v1/payments/0190a0a0-0000-7000-8000-000000000000', key: null },
  { method: 'GET', path: '/v1/payments/0190a0a0-0000-7000-8000-000000000000', key: 'sk_test_nonsense' },
  { method: 'POST', path: '/v1/payments/x/verify' },
  { method: 'POST', path: '/v1/payments/initiate', type: json, body: '{' },
  { method: 'POST', path: '/v1/payments/initiate', type: json, body: '' },
  { method: 'POST', path: '/v1/payments/initiate', type: json, body: JSON.stringify(order) },
  { method: 'POST', path: '/v1/payments/initiate', type: 'text/plain', body: JSON.stringify(order) },
  {
    method: 'POST',
    path: '/v1/payments/initiate',
    type: json,
    body: JSON.stringify({ ...order, metadata: { text: 'x'.repeat(70_000) } }),
  },
  { method: 'GET', path: '/v1/payments/initiate' },
  { method: 'DELETE', path: '/v1/payments/x' },
  { method: 'PUT', path: '/v1/payments/x/verify', type: json, body: '{}' },
  { method: 'GET', path: '/v1' },
  { method: 'GET', path: '/v1/nothing/here' },
  { method: 'GET', path: '/v1/openapi.json', key: null },
  { method: 'POST', path: '/webhooks/paystack/nobody', key: null, type: json, body: '{}' },
  { method: 'GET', path: '/compat/paystack/transaction/verify/nobody' },
  { method: 'POST', path: '/compat/paystack/transaction/initialize', type: json, body: JSON.stringify({ amount: 1 }) },
  { method: 'GET', path: '/compat/flutterwave/v3/transactions/7/verify' },
  { method: 'GET', path: '/compat/flutterwave/v3/transfers', key: null },
  { method: 'GET', path: '/checkout/x/y/return', key: null },
  { method: 'GET', path: '/schemas/rule-set-1.json', key: null },
];

/** An answer without the parts that differ between requests. */
async function ask(base: string, { method, path, key = demo.secretKey, type, body }: SampleRequest) {
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(type !== undefined && { 'content-type': type }),
  };
  const answer = await fetch(base + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
  const kept = ['content-type', 'allow', 'retry-after', 'location', 'www-authenticate'];
  return {
    status: answer.status,
    headers: Object.fromEntries(kept.map((name) => [name, answer.headers.get(name)])),
    traced: [...answer.headers.keys()].filter((name) => ['x-request-id', 'server-timing'].includes(name)),
    body: await answer.text(),
  };
}

for (const [number, asked] of QUESTIONS.entries()) {
  const who = asked.key === undefined ? '' : `, key ${asked.key}`;
  test(`${number + 1}: ${asked.method} ${asked.path} with ${asked.body?.length ?? 'no'} bytes${who} is answered alike by plain Next and by our server`, async () => {
    expect(await ask(plain.url, asked)).toEqual(await ask(demo.webUrl, asked));
  });
}

test('a payment that our server began is read alike by plain Next', async () => {
  const body = JSON.stringify({
    ...order,
    merchantOrderId: `plain-${crypto.randomUUID()}`,
    amount: 2_500,
    customer: { email: 'ada@example.com' },
  });
  const begun = JSON.parse((await ask(demo.webUrl, { method: 'POST', path: '/v1/payments/initiate', type: json, body })).body);
  const read = { method: 'GET', path: `/v1/payments/${begun.data.paymentId}` };
  const verify = { method: 'POST', path: `/v1/payments/${begun.data.paymentId}/verify` };
  expect(await ask(plain.url, read)).toEqual(await ask(demo.webUrl, read));
  expect(await ask(plain.url, verify)).toEqual(await ask(demo.webUrl, verify));
  const again = { method: 'POST', path: '/v1/payments/initiate', type: json, body };
  expect(await ask(plain.url, again)).toMatchObject({ status: 409 });
});
