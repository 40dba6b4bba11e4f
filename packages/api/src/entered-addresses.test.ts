import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { PRIVATE_ADDRESSES_VARIABLE } from '@switchyard/gateways/addresses';
import { describeGateways } from '@switchyard/merchants/console/gateway-accounts';
import { openReceiver, type Receiver } from '@switchyard/webhooks/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createTestMerchant, openTestDashboard, sessionOf, type TestDashboard } from './testing/dashboard.ts';
import { inputFields } from './testing/input-fields.ts';
import { appRouter } from './trpc/router.ts';

/*
 * Every field that a caller can enter an address in, found in the schemas of all transports: those that the product calls go through one
 * table of forms. A field that is new fails here until it has a line.
 */

type Mode = 'test' | 'live';

/** The way an address is entered in a field: the answer names the field's problem, or has none. */
type Enter = (address: string, mode: Mode) => Promise<{ readonly kind: string; readonly problems?: unknown }>;

let dashboard: TestDashboard;
let merchantId: string;
let receiver: Receiver;
const endpoints: Partial<Record<Mode, string>> = {};
const channels: Partial<Record<Mode, string>> = {};
const accounts: Partial<Record<Mode, string>> = {};

const api = () => appRouter.createCaller({ switchyard: dashboard.switchyard, session: sessionOf('owner', null) });

beforeAll(async () => {
  dashboard = await openTestDashboard();
  ({ merchantId } = await createTestMerchant(dashboard));
  receiver = await openReceiver();
  for (const mode of ['test', 'live'] as const) {
    const endpoint = await api().webhooks.create({ merchantId, mode, url: 'https://shop.example/', description: '', types: [] });
    if (endpoint.kind === 'created') endpoints[mode] = endpoint.endpointId;
    const account = await connect(mode, null);
    if (account.kind === 'connected') accounts[mode] = account.account.id;
    const settings = { name: `Of ${mode}`, modes: [mode] };
    const channel = await api().alerts.createChannel({
      merchantId,
      target: { kind: 'slack', url: 'https://shop.example/' },
      settings,
    });
    if (channel.kind === 'created') channels[mode] = channel.channelId;
  }
  await dashboard.switchyard.resources.configuration.refresh();
});
afterAll(async () => {
  await receiver.close();
  await dashboard.close();
});

function connect(mode: Mode, baseUrl: string | null) {
  const limits = { currencies: ['NGN'], methods: ['CARD' as const], minAmount: 100, maxAmount: null, fees: null };
  const credentials = { secretKey: `sk_${mode}_${'0123456789abcdef'.repeat(2)}` };
  const account = { gateway: 'paystack', label: `paystack-${randomUUID()}`, enabled: true, credentials, ...limits };
  return api().gateways.connect({ merchantId, mode, baseUrl, ...account });
}

const channelKinds = ['slack', 'teams', 'webhook', 'pagerduty'] as const;
const ROUTING_KEY = 'R'.repeat(32);

function targetOf(kind: (typeof channelKinds)[number], url: string) {
  return { kind, url, ...(kind === 'pagerduty' && { routingKey: ROUTING_KEY }) };
}

/** Fields that hold an address which the product calls, and how each is entered. */
const CALLED: Readonly<Record<string, Readonly<Record<string, Enter>>>> = {
  'trpc gateways.connect baseUrl': {
    baseUrl: (baseUrl, mode) => connect(mode, baseUrl),
  },
  'trpc gateways.update changes.baseUrl': {
    baseUrl: (baseUrl, mode) => api().gateways.update({ merchantId, accountId: accounts[mode] ?? '', changes: { baseUrl } }),
  },
  'trpc webhooks.create url': {
    url: (url, mode) => api().webhooks.create({ merchantId, mode, url, description: '', types: [] }),
  },
  'trpc webhooks.update changes.url': {
    url: (url, mode) => api().webhooks.update({ merchantId, endpointId: endpoints[mode] ?? '', changes: { url } }),
  },
  'trpc alerts.createChannel target.url': Object.fromEntries(
    channelKinds.map((kind) => [
      kind,
      (url, mode) =>
        api().alerts.createChannel({ merchantId, target: targetOf(kind, url), settings: { name: kind, modes: [mode] } }),
    ]),
  ),
  'trpc alerts.updateChannel target.url': {
    slack: (url, mode) =>
      api().alerts.updateChannel({ merchantId, channelId: channels[mode] ?? '', target: { kind: 'slack', url } }),
  },
};

/** Fields that look like addresses and are never called, and why. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  'trpc merchants.create defaultRedirectUrl': 'the customer’s browser goes there',
  'trpc merchants.update changes.defaultRedirectUrl': 'the customer’s browser goes there',
  'rest POST /v1/payments/initiate redirectUrl': 'the customer’s browser goes there',
  'dialect paystack callback_url': 'the customer’s browser goes there',
  'dialect paystack metadata.cancel_action': 'the customer’s browser goes there',
  'dialect flutterwave redirect_url': 'the customer’s browser goes there',
  'trpc keys.issue allowedAddresses.*': 'compared with the caller’s address',
  'trpc keys.change changes.allowedAddresses.*': 'compared with the caller’s address',
  'trpc singleSignOn.save domains.*': 'compared with the domain of an e-mail address',
};

const ADDRESS_NAME = /ur[il]|host|address|server(?!s?Id)|callback|cancel_action|href|domain|site|proxy|smtp|ldap/i;
const ADDRESS_FORMATS: ReadonlySet<string | null> = new Set(['uri', 'uri-reference', 'url', 'hostname', 'ipv4', 'ipv6']);

test('every field that holds an address is called and tested here, or is known not to be called', () => {
  const entered = inputFields()
    .filter(({ path, format }) => ADDRESS_FORMATS.has(format) || ADDRESS_NAME.test(path.replace(/^.*\.(?=[^.*])/, '')))
    .map(({ entry, path }) => `${entry} ${path}`);
  expect(entered.toSorted()).toEqual([...Object.keys(CALLED), ...Object.keys(NOT_CALLED)].toSorted());
});

test('no credential of a gateway is an address', () => {
  const names = describeGateways().flatMap(({ name, fields }) => fields.map((field) => `${name} ${field.name}`));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => ADDRESS_NAME.test(name))).toEqual([]);
});

/** Hosts of this machine and of private networks, as people and attackers write them. */
const PRIVATE = [
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '127.255.255.254',
  ],
  ...['127。0。0。1', '１２７.0.0.1', '%31%32%37.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]'],
  ...['10.0.0.5', '172.16.0.1', '172.31.255.254', '192.168.1.10', '100.64.0.1', '[fd12:3456::1]', '[fc00::1]'],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost。',
    'a.localhost',
    'postgres',
    'db.internal',
    'intranet',
    'printer.lan.',
  ],
  // A name without a dot, and the same with one, which only its resolution gives away.
  ...[hostname(), `${hostname()}.`, 'ⓛocalhost'],
];
/** Hosts that are called nowhere: link-local and metadata addresses, IPv4 inside of IPv6, and what is reserved. */
const NEVER = [
  ...['169.254.169.254', '169.254.169.254.', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.254.170.2'],
  ...[
    '[fe80::1]',
    '[fe80::a9fe:a9fe]',
    '[fec0::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::ffff:0:7f00:1]'],
  // NAT64, 6to4, Teredo.
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b::10.0.0.5]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:a00:5::1]',
    '[2001:0:7f00:1::1]',
  ],
  ...['0.0.0.0', '0', '[::]', '224.0.0.1', '255.255.255.255', '[ff02::1]', '198.18.0.1'],
  ...[
    'metadata.google.internal',
    'METADATA.google.internal.',
    'metadata。google。internal',
    'metadata',
    'metadata.goog',
    'instance-data',
  ],
];
/** Addresses that hide their host. */
const HIDDEN = [
  ...[
    'http://shop.example@127.0.0.1/',
    'http://shop.example:x@10.0.0.5/',
    'http://127.0.0.1\\@shop.example/',
    'http://127.0.0.1#@shop.example/',
  ],
  ...[
    'http://shop.example@169.254.169.254/',
    'http:/\\127.0.0.1/',
    'http:127.0.0.1',
    ' http://127.0.0.1/',
    'http://127.0.0.1\t/',
    'http://127.0.\n0.1/',
  ],
  ...[
    '//127.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'ftp://10.0.0.5/',
    'unix:/var/run/docker.sock',
    'javascript:alert(1)',
  ],
];

const problemsSchema = z.array(z.object({ field: z.string(), message: z.string() })).min(1);

const WAYS = Object.entries(CALLED).flatMap(([field, ways]) =>
  Object.entries(ways).map(([way, enter]) => ({ title: `${field} (${way})`, name: field.split(/[. ]/).at(-1) ?? '', enter })),
);
type Way = (typeof WAYS)[number];

async function expectRefused({ name, enter }: Way, address: string, mode: Mode): Promise<void> {
  const outcome = await enter(address, mode);
  expect(outcome.kind, `${address} in ${mode} mode`).toBe('invalid');
  const [problem] = problemsSchema.parse('problems' in outcome ? outcome.problems : []);
  expect(problem?.field).toBe(name);
}

describe('in production', () => {
  beforeAll(() => void vi.stubEnv(PRIVATE_ADDRESSES_VARIABLE, ''));
  afterAll(() => void vi.unstubAllEnvs());

  test.each(WAYS)('$title takes no host of this machine, a private network or a metadata service', async (way) => {
    for (const host of [...PRIVATE, ...NEVER]) {
      await expectRefused(way, `http://${host}:8080/x`, 'test');
      await expectRefused(way, `https://${host}/x`, 'live');
    }
    for (const address of HIDDEN) for (const mode of ['test', 'live'] as const) await expectRefused(way, address, mode);
  });
});

describe('where private addresses are allowed', () => {
  beforeAll(() => void vi.stubEnv(PRIVATE_ADDRESSES_VARIABLE, 'allow'));
  afterAll(() => void vi.unstubAllEnvs());

  test.each(WAYS)('$title takes them in test mode alone, and metadata services never', async (way) => {
    for (const host of NEVER) await expectRefused(way, `http://${host}:8080/x`, 'test');
    for (const host of ['127.0.0.1', 'localhost', '10.0.0.5']) await expectRefused(way, `https://${host}/x`, 'live');
    expect((await way.enter('http://127.0.0.1:8080/x', 'test')).kind).not.toBe('invalid');
  });
});

test('an account whose stored address leads to this machine is not called in production', async () => {
  vi.stubEnv(PRIVATE_ADDRESSES_VARIABLE, '');
  const { port } = receiver;
  const { prisma } = dashboard.database;
  const { configuration } = dashboard.switchyard.resources;
  const accountId = accounts.test ?? '';
  const connectTo = async (host: string) => {
    await prisma.gatewayAccount.update({
      where: { merchantId_id: { merchantId, id: accountId } },
      data: { baseUrl: `http://${host}:${port}` },
    });
    await dashboard.database.pool.query('UPDATE configuration_revision SET revision = revision + 1 WHERE merchant_id = $1', [
      merchantId,
    ]);
    await configuration.refresh();
    return JSON.stringify(await api().gateways.testConnection({ accountId }));
  };
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    'localhost',
    'localhost.',
    `${hostname()}`,
    `${hostname()}.`,
  ]) {
    expect(await connectTo(host), host).toMatch(/base address (must (not )?be|resolves to an address that must not be called)/);
  }
  expect(receiver.connections).toBe(0);
  vi.unstubAllEnvs();
  await connectTo('127.0.0.1');
  expect(receiver.connections).toBe(1);
});
