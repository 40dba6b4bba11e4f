import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order, readFailure, readPayment } from '../harness/contract.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { MOUNTS } from '../harness/mounts.ts';
import { expectOurHeaders, type Reply } from '../harness/web-process.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const INITIATE = '/v1/payments/initiate';

describe.each(MOUNTS)('through the %s mount', (mount) => {
  describe('429', () => {
    test("past a key's rate limit the answer names the seconds to wait, and other keys are served", async () => {
      const narrow = await harness.startWebProcess({ requestsPerSecond: 3 });
      const path = `/v1/payments/${randomUUID()}`;
      const ask = (key: string) => narrow.send(mount, 'GET', path, { key });
      const replies = await Promise.all(Array.from({ length: 12 }, () => ask(harness.first.testKey)));
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThanOrEqual(6);
      for (const reply of refused) {
        expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(reply.headers.ratelimit).toBe('"default";r=0;t=1');
        expect(reply.headers['ratelimit-policy']).toBe('"default";q=3;w=1');
        expect(readFailure(reply)).toMatchObject({ code: 'too_many_requests', data: null });
        expectOurHeaders(reply);
      }
      const served = replies.filter(({ status }) => status === 404).map(({ headers }) => headers.ratelimit);
      expect(served).toEqual(expect.arrayContaining(['"default";r=2;t=1', '"default";r=1;t=1', '"default";r=0;t=1']));
      expect((await ask(harness.second.testKey)).status).toBe(404);
    });
  });

  describe('503', () => {
    test('while the database is unavailable every endpoint answers when to retry, and works once it is back', async () => {
      const databaseProxy = await startDatabaseProxy(harness.database.url);
      const { send: sendBehind } = await harness.startWebProcess({ databaseUrl: databaseProxy.url });
      const key = harness.first.testKey;
      const { paymentId } = readPayment(await sendBehind(mount, 'POST', INITIATE, { key, body: order() }));
      const body = order();
      const calls: [string, string, object][] = [
        ['POST', INITIATE, { key, body }],
        ['POST', INITIATE, { key, body, headers: { 'idempotency-key': randomUUID() } }],
        ['GET', `/v1/payments/${paymentId}`, { key }],
        ['POST', `/v1/payments/${paymentId}/verify`, { key }],
      ];
      await databaseProxy.shut();
      for (const [method, path, request] of calls) {
        const reply = await sendBehind(mount, method, path, request);
        expect(reply.status, `${method} ${path}`).toBe(503);
        expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(readFailure(reply)).toMatchObject({ message: expect.not.stringMatching(/ECONN|sql|postgres|127\./i), data: null });
        expectOurHeaders(reply);
      }
      expect((await sendBehind(mount, 'GET', INITIATE, {})).status).toBe(401);
      expect((await sendBehind(mount, 'GET', '/api/health')).status).toBe(503);
      await databaseProxy.open();
      for (const [method, path, request] of calls.slice(1)) {
        expect((await sendBehind(mount, method, path, request)).status, `${method} ${path}`).toBe(200);
      }
      expect((await sendBehind(mount, 'GET', '/api/health')).status).toBe(200);
    });

    test('a request that fails with the database releases its key once the database is back', async () => {
      const databaseProxy = await startDatabaseProxy(harness.database.url);
      const { send: sendBehind } = await harness.startWebProcess({ databaseUrl: databaseProxy.url });
      const merchant = await harness.merchant();
      const body = order();
      const key = randomUUID();
      const { idempotencyRecord, payment } = harness.database.prisma;
      // A process that has just started may refuse its first request, which would record nothing.
      readPayment(await sendBehind(mount, 'POST', INITIATE, { key: merchant.testKey, body: order() }));
      await harness.gateways.setFault('paystack', 'slow', 1_500);
      try {
        const request = { key: merchant.testKey, body, headers: { 'idempotency-key': key } };
        const cut = sendBehind(mount, 'POST', INITIATE, request);
        await eventually('the payment to be on record', () =>
          payment.findFirst({ where: { merchantOrderId: String(body.merchantOrderId) } }),
        );
        await databaseProxy.shut();
        expect((await cut).status).toBe(503);
        expect(await idempotencyRecord.findFirst({ where: { key, lockedUntil: { gt: new Date() } } })).not.toBeNull();
        await databaseProxy.open();
        await eventually('the key to be let go', () => idempotencyRecord.findFirst({ where: { key, lockedUntil: new Date(0) } }));
      } finally {
        await harness.gateways.heal();
      }
    });

    test('a process that starts while the database is unavailable answers 503, not 401', async () => {
      const databaseProxy = await startDatabaseProxy(harness.database.url);
      await databaseProxy.shut();
      const cold = await harness.startWebProcess({ databaseUrl: databaseProxy.url });
      const path = `/v1/payments/${randomUUID()}`;
      const reply = await cold.send(mount, 'GET', path, { key: harness.first.testKey });
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
      await databaseProxy.open();
      expect((await cold.send(mount, 'GET', path, { key: harness.first.testKey })).status).toBe(404);
    });
  });
});

test('both mounts give the same answer to the same request', async () => {
  const key = harness.first.testKey;
  const body = order();
  const { paymentId } = readPayment(await harness.send('node', 'POST', INITIATE, { key, body }));
  const requests: [string, string, object][] = [
    ['GET', `/v1/payments/${paymentId}`, { key }],
    ['POST', `/v1/payments/${paymentId}/verify`, { key }],
    ['POST', INITIATE, { key, body }],
    ['POST', INITIATE, { key, body: { amount: '1000', paymentMethod: 'cash', redirectUrl: 'javascript:alert(1)' } }],
    ['POST', INITIATE, { key, body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['PUT', INITIATE, { key, body: '' }],
    ['GET', '/v1/nothing', { key }],
    ['GET', '/v1/nothing', {}],
    ['GET', '/v1/openapi.json', {}],
    ['GET', '/api/health', {}],
    ['POST', '/webhooks/paystack/nobody', { body: '{}' }],
    ['GET', '/checkout/nothing/nobody/return', {}],
  ];
  // These differ from request to request, or belong to the way over the wire: in front of the web mount Next compresses.
  const own = new Set([
    'x-request-id',
    'server-timing',
    'date',
    'connection',
    'keep-alive',
    'ratelimit',
    'content-length',
    'transfer-encoding',
    'content-encoding',
  ]);
  const varied = (value: string) => (value === 'accept-encoding' ? [] : [value.replace(/, accept-encoding$/, '')]);
  for (const [method, path, request] of requests) {
    const node = await harness.send('node', method, path, request);
    const web = await harness.send('web', method, path, request);
    const kept = ({ headers }: Reply) => {
      const { vary, ...others } = headers;
      const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !own.has(name)));
      return { ...rest, vary: vary === undefined ? [] : varied(vary) };
    };
    expect({ ...node, headers: kept(node) }, `${method} ${path}`).toEqual({ ...web, headers: kept(web) });
  }
});

test('a client that hangs up while its body is being read affects no other request', async () => {
  const { hostname, port } = new URL(harness.publicUrl);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write('POST /v1/payments/initiate HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"half');
      socket.end();
    });
    socket.on('close', () => resolve());
    socket.resume();
  });
  expect((await harness.send('node', 'GET', '/api/health')).status).toBe(200);
});
