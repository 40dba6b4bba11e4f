import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  ADDRESS_REFUSED,
  type AddressRange,
  allowedRange,
  checkedConnector,
  hostProblem,
  mayConnectTo,
  ownAddresses,
  type Resolve,
  resolveHost,
} from './addresses.ts';

describe('addresses', () => {
  const PRIVATE = [
    ...[
      '127.0.0.1',
      '127.255.255.254',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
      '100.127.255.255',
    ],
    ...['::1', 'fc00::1', 'fd12:3456::1'],
  ];
  const NOWHERE = [
    // Metadata services outside of the link-local range.
    ...['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'],
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '169.254.169.254',
      '169.254.0.1',
      '192.0.0.8',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.7',
      '203.0.113.9',
    ],
    ...['192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ...[
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '2001:db8::1',
      '2001::1',
      '2001:10::1',
      '3fff::1',
      '100::1',
      '5f00::1',
    ],
    // Other notations of an IPv4 address: mapped, compatible, translated, tunnelled.
    ...[
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:7f00:1',
      '::ffff:8.8.8.8',
      '::7f00:1',
      '64:ff9b::7f00:1',
      '64:ff9b::808:808',
    ],
    ...['64:ff9b:1::1', '2002:7f00:1::', '::ffff:0:7f00:1'],
    ...['', 'localhost', '127.1', '0x7f000001', '2130706433', 'example.com'],
  ];
  const PUBLIC = [
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '9.255.255.255',
    '2606:4700::1111',
    '2a00::1',
  ];

  test.each(PUBLIC)('%s is public', (address) => {
    expect(mayConnectTo(address, 'public')).toBe(true);
    expect(mayConnectTo(address, 'public_and_private')).toBe(true);
  });

  test.each(PRIVATE)('%s is allowed only where private addresses are', (address) => {
    expect(mayConnectTo(address, 'public')).toBe(false);
    expect(mayConnectTo(address, 'public_and_private')).toBe(true);
  });

  test.each(NOWHERE)('"%s" is never allowed', (address) => {
    expect(mayConnectTo(address, 'public')).toBe(false);
    expect(mayConnectTo(address, 'public_and_private')).toBe(false);
  });

  test('public addresses of this machine are refused in test mode, where private ones are, and allowed in live mode', () => {
    const own = ['127.0.0.1', '8.8.8.8', '2606:4700::1111'];
    for (const address of ['8.8.8.8', '2606:4700:0:0::1111']) {
      expect(mayConnectTo(address, 'elsewhere', own)).toBe(false);
      expect(mayConnectTo(address, 'public', own)).toBe(true);
      expect(mayConnectTo(address, 'public_and_private', own)).toBe(true);
    }
    for (const address of ['1.1.1.1', '2606:4700::2222']) expect(mayConnectTo(address, 'elsewhere', own)).toBe(true);
    expect(mayConnectTo('127.0.0.1', 'public', own)).toBe(false);
    expect(hostProblem('shop.example', 'elsewhere', ['8.8.8.8'], own)).toMatch('not one of this machine');
    expect(hostProblem('shop.example', 'public', ['8.8.8.8'], own)).toBeNull();
  });

  test('the addresses of this machine are those of its network interfaces', () => {
    expect(ownAddresses()).toContain('127.0.0.1');
  });

  test('private addresses are allowed in test mode by the one value of the setting, and never in live mode', () => {
    const set = (value?: string) => ({ SWITCHYARD_PRIVATE_ADDRESSES: value });
    expect(allowedRange('test', set('allow'))).toBe('public_and_private');
    for (const value of [undefined, '', 'true', 'ALLOW', '1']) expect(allowedRange('test', set(value))).toBe('elsewhere');
    expect(allowedRange('live', set('allow'))).toBe('public');
  });

  describe('the host of a URL', () => {
    const problem = (host: string, range: 'public' | 'public_and_private') =>
      hostProblem(new URL(`https://${host}/`).hostname, range);
    const notPublic = 'must be a public address, not one of this machine or of a private network';
    const never = 'must not be a link-local, metadata or reserved address';

    test.each([
      ...['127.0.0.1', '127.0.0.1.', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', '[fd12:3456::1]'],
      ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'box.internal', 'shop', 'shop.lan.'],
    ])('%s is private', (host) => {
      expect(problem(host, 'public')).toBe(notPublic);
      expect(problem(host, 'public_and_private')).toBeNull();
    });

    test.each([
      ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '[fe80::1]', '[fd00:ec2::254]', '0', '0.0.0.0'],
      ...['[::ffff:169.254.169.254]', '[::ffff:127.0.0.1]', '[64:ff9b::a9fe:a9fe]'],
      ...['metadata.google.internal', 'METADATA.google.internal.', 'metadata', 'metadata.goog', 'instance-data'],
    ])('%s is never allowed', (host) => {
      expect(problem(host, 'public')).toBe(never);
      expect(problem(host, 'public_and_private')).toBe(never);
    });

    test('is judged by every address that its name resolves to', () => {
      expect(hostProblem('shop.example', 'public', ['8.8.8.8', '2606:4700::1111'])).toBeNull();
      expect(hostProblem('shop.example', 'public', ['8.8.8.8', '10.0.0.1'])).toBe(notPublic);
      expect(hostProblem('shop.example', 'public_and_private', ['8.8.8.8', '10.0.0.1'])).toBeNull();
      expect(hostProblem('shop.example', 'public_and_private', ['8.8.8.8', '169.254.169.254'])).toBe(never);
    });

    test('is resolved by the operating system; what does not resolve has no addresses', async () => {
      expect(await resolveHost(`http://${hostname()}:4000/hooks`)).not.toEqual([]);
      for (const url of ['http://shop.invalid/', 'http://127.0.0.1/', 'http://[::1]/', 'no address', null]) {
        expect(await resolveHost(url)).toEqual([]);
      }
    });
  });
});

describe('connector', () => {
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

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    'shop.example',
  ])('no connection is made to %s, which leads to this machine', async (host) => {
    expect(
      await call(
        host,
        agentWith(() => 'public'),
      ),
    ).toBe(ADDRESS_REFUSED);
    expect(connections).toBe(0);
  });

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
});
