import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { runLoad } from './load.ts';
import type { LoadPlan } from './result.ts';

const servers: Server[] = [];

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return port;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const planOf = (port: number, change: Pick<LoadPlan, 'streams'> & Partial<LoadPlan>): LoadPlan => ({
  host: '127.0.0.1',
  port,
  key: 'sk_test',
  webhooks: { path: '/webhooks/paystack/account', secret: 'secret', references: ['one', 'two'] },
  seconds: 0.3,
  answerLimitMs: 30_000,
  ...change,
});

function end(response: ServerResponse, status: number, body = '{}'): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

test('requests on kept connections are counted by how they end, and few connections carry many', async () => {
  const ports = new Set<number | undefined>();
  let count = 0;
  const port = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    // A body that comes in several pieces.
    if (count++ % 2 === 0) end(response, 200, 'x'.repeat(300_000));
    else end(response, count % 4 === 0 ? 503 : 404);
  });
  const [lists] = await runLoad(planOf(port, { streams: [{ kind: 'list', pace: { kind: 'closed', connections: 2 } }] }));
  expect(lists?.sent).toBe(count);
  expect(lists?.served).toBe(Math.ceil(count / 2));
  expect((lists?.shed ?? 0) + (lists?.others['404'] ?? 0)).toBe(Math.floor(count / 2));
  expect(ports.size).toBe(2);
});

test('what is due while all connections wait is not sent, and waiting ends with the limit', async () => {
  const port = await serve(() => undefined);
  const [lists] = await runLoad(
    planOf(port, { answerLimitMs: 500, streams: [{ kind: 'list', pace: { kind: 'kept', perSecond: 200, connections: 3 } }] }),
  );
  expect(lists).toMatchObject({ due: 60, sent: 3, served: 0, timedOut: 3 });
});

test('initiates and webhooks come on new connections, whole', async () => {
  const requests: { url: string | undefined; port: number | undefined; authorization: string | undefined; body: string }[] = [];
  const port = await serve(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { authorization } = request.headers;
    requests.push({ url: request.url, port: request.socket.remotePort, authorization, body });
    end(response, 200);
  });
  const pace = { kind: 'new', perSecond: 20 } as const;
  const results = await runLoad(
    planOf(port, {
      streams: [
        { kind: 'initiate', pace },
        { kind: 'webhook', pace },
      ],
    }),
  );
  expect(results).toMatchObject([
    { kind: 'initiate', due: 6, sent: 6, served: 6 },
    { kind: 'webhook', due: 6, sent: 6, served: 6 },
  ]);
  expect(new Set(requests.map((request) => request.port)).size).toBe(12);
  const webhooks = requests.filter(({ url }) => url === '/webhooks/paystack/account').map(({ body }) => JSON.parse(body));
  expect(webhooks).toHaveLength(6);
  expect(webhooks[1]).toMatchObject({ event: 'charge.success', data: { id: 2, reference: 'two' } });
  expect(requests.filter(({ authorization }) => authorization === 'Bearer sk_test')).toHaveLength(6);
});

test('an unreachable server is an error of each request', async () => {
  const port = await serve(() => undefined);
  for (const server of servers.splice(0)) server.close();
  const [lists] = await runLoad(planOf(port, { streams: [{ kind: 'webhook', pace: { kind: 'new', perSecond: 20 } }] }));
  expect(lists).toMatchObject({ sent: 6, served: 0, others: { ECONNREFUSED: 6 } });
});
