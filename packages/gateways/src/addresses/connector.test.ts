import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AddressRange } from './addresses.ts';
import { checkedConnector } from './connector.ts';
import { ADDRESS_REFUSED, type Resolve } from './resolver.ts';

let server: Server;
let port: number;
let connections = 0;
const agents: Agent[] = [];

beforeAll(async () => {
  server = createServer((_, response) => void response.end('reached'));
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  port = addressOf(server).port;
});
afterAll(() => void server.close());
afterEach(async () => {
  connections = 0;
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
});

function addressOf(of: Server): AddressInfo {
  const address = of.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

function agentWith(range: () => AddressRange, resolve: Resolve = async () => ['127.0.0.1']): Agent {
  const agent = new Agent({ connect: checkedConnector(range, resolve, { timeout: 1_000 }) });
  agents.push(agent);
  return agent;
}

/** The answer of the server of this suite under a host, or the code of the error. */
async function call(host: string, agent: Agent): Promise<string> {
  try {
    const { body } = await request(`http://${host}:${port}/`, { dispatcher: agent });
    return await body.text();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

test.each(['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0.0.0.0', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'shop.example'])(
  'no connection is made to %s, which leads to this machine',
  async (host) => {
    expect(
      await call(
        host,
        agentWith(() => 'public'),
      ),
    ).toBe(ADDRESS_REFUSED);
    expect(connections).toBe(0);
  },
);

test('connections are made to this machine where it is allowed, by address and by name', async () => {
  const agent = agentWith(() => 'public_and_private');
  expect(await call('127.0.0.1', agent)).toBe('reached');
  expect(await call('shop.example', agent)).toBe('reached');
  expect(await call('0.0.0.0', agent)).toBe(ADDRESS_REFUSED);
});

test('a name is judged anew by each connection, and connects to what was judged', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '169.254.169.254'], []];
  const agent = agentWith(
    () => 'public_and_private',
    async () => answers.shift() ?? ['127.0.0.1'],
  );
  expect(await call('shop.example', agent)).toBe('reached');
  server.closeAllConnections();
  for (let time = 0; time < 3; time += 1) expect(await call('shop.example', agent)).toBe(ADDRESS_REFUSED);
  expect(connections).toBe(1);
});

test('the range is read at each connection', async () => {
  let range: AddressRange = 'public_and_private';
  const agent = agentWith(() => range);
  expect(await call('127.0.0.1', agent)).toBe('reached');
  range = 'elsewhere';
  server.closeAllConnections();
  expect(await call('127.0.0.1', agent)).toBe(ADDRESS_REFUSED);
});
