import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { authenticate } from '@switchyard/merchants/api-keys';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { gatewayNames, simulators } from '@switchyard/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seedDemo } from './seed-demo.ts';

// Against hanging: each is a whole start, and some are several.
vi.setConfig({ testTimeout: 600_000 });

/** The product's limit for a connection is two seconds. */
const LONGER_THAN_A_PAYMENT_MS = 2_500;

/** The requests to the address of the sandbox in the last start, in order. */
let requests: { readonly path: string | undefined; readonly body: unknown }[];
const sandbox = createServer(async (request, response) => {
  requests.push({ path: request.url, body: await json(request) });
  response.end('{}');
});

let database: TestDatabase;
let folder: string;
let environment: Record<string, string>;
let sandboxUrl: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await once(sandbox.listen(0, '127.0.0.1'), 'listening');
  const address = sandbox.address();
  sandboxUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  folder = await mkdtemp(join(tmpdir(), 'switchyard-seed-'));
  environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_AUTH_SECRET: randomBytes(32).toString('base64'),
    SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:3000',
    SWITCHYARD_SANDBOX_URL: sandboxUrl,
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SWITCHYARD_DEMO_FILE: join(folder, 'local', 'demo.json'),
    SWITCHYARD_DEMO_WEEK: '0',
  };
  await seed();
});
afterAll(async () => {
  sandbox.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function seed(changes: Record<string, string> = {}): Promise<void> {
  requests = [];
  await seedDemo({ ...environment, ...changes });
}

async function demo(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(folder, 'local', 'demo.json'), 'utf8'));
}

/** Everything in the database that a seed could touch. */
async function everything() {
  const { prisma } = database;
  const merchants = await prisma.merchant.findMany({ orderBy: { merchantNumber: 'asc' } });
  const accounts = await prisma.gatewayAccount.findMany({ orderBy: { id: 'asc' } });
  const keys = await prisma.apiKey.findMany({ orderBy: { id: 'asc' } });
  const rules = await prisma.ruleSetVersion.findMany({ orderBy: { id: 'asc' } });
  const staff = await prisma.staffUser.findMany({ include: { grants: true, accounts: true } });
  const endpoints = await prisma.webhookEndpoint.findMany({ orderBy: { id: 'asc' } });
  return { merchants, accounts, keys, rules, staff, endpoints, audit: await prisma.auditEntry.count() };
}

async function withResources<Result>(use: (resources: Resources) => Promise<Result>): Promise<Result> {
  const resources = openResources(environment, () => undefined);
  try {
    return await use(resources);
  } finally {
    await resources.close();
  }
}

async function holderOf(secretKey: string | undefined): Promise<string> {
  return withResources(async (resources) => {
    const answer = await authenticate({ resources, now: () => new Date(), newId }, `Bearer ${secretKey}`);
    return answer.kind === 'authenticated' ? `${answer.mode} ${answer.configuration.merchant.merchantNumber}` : answer.kind;
  });
}

describe('a first start', () => {
  test('leaves exactly what people and tests need in a file that only its owner can read', async () => {
    expect(await demo()).toEqual({
      webUrl: 'http://127.0.0.1:3000',
      sandboxUrl,
      secretKey: expect.stringMatching(/^sk_test_/),
      secondMerchantKey: expect.stringMatching(/^sk_test_/),
      staffEmail: 'owner@switchyard.local',
      staffPassword: expect.stringMatching(/^.{20,}$/),
    });
    expect((await stat(join(folder, 'local', 'demo.json'))).mode & 0o777).toBe(0o600);
  });

  test('makes two merchants, each with a key that authenticates it', async () => {
    const { secretKey, secondMerchantKey } = await demo();
    expect([await holderOf(secretKey), await holderOf(secondMerchantKey)]).toEqual(['test M-100001', 'test M-100002']);
    const { merchants } = await everything();
    expect(merchants.map(({ defaultRedirectUrl }) => defaultRedirectUrl)).toEqual([null, null]);
  });

  test('gives each merchant an account at every simulator, with rules over the first two', async () => {
    const { merchants, accounts, rules } = await everything();
    for (const { id: merchantId } of merchants) {
      const own = accounts.filter((account) => account.merchantId === merchantId);
      expect(own.map(({ label, mode, baseUrl, enabled }) => ({ label, mode, baseUrl, enabled }))).toEqual(
        gatewayNames.map((gateway) => ({
          label: `${gateway}-main`,
          mode: 'test',
          baseUrl: `${sandboxUrl}/${gateway}${simulators[gateway].apiPath}`,
          enabled: true,
        })),
      );
      const [paystack, flutterwave] = own.map(({ id }) => id);
      const parsed = parseRuleDocument(rules.find((version) => version.merchantId === merchantId)?.document);
      if (!parsed.ok) throw new Error('the rules do not parse');
      expect(parsed.ruleSet.defaultOrder).toEqual([paystack, flutterwave]);
      expect(parsed.ruleSet.rules.map((rule) => [rule.when.methods, rule.when.amount, rule.then])).toEqual([
        [['CARD'], { from: 0, to: 5_000 }, { strategy: 'priority', accounts: [paystack, flutterwave] }],
        [['CARD'], { from: 5_001, to: 50_000 }, { strategy: 'priority', accounts: [flutterwave, paystack] }],
        [['TRANSFER'], { from: 0, to: null }, { strategy: 'priority', accounts: [paystack, flutterwave] }],
      ]);
    }
  });

  test('registers the keys at the sandbox, each as the account has it and with its webhook address', async () => {
    const { accounts } = await everything();
    const expected = await withResources(async ({ vault }) =>
      accounts.map(({ merchantId, id, gateway, credentials }) => {
        const webhookUrl = `http://127.0.0.1:3000/webhooks/${gateway}/${id}`;
        const body = { webhookUrl, ...JSON.parse(vault.open(credentials ?? '', `${merchantId}/${id}`)) };
        return { path: `/control/${gateway}/keys`, body };
      }),
    );
    expect(expected).toHaveLength(2 * gatewayNames.length);
    expect(new Set(expected.map(({ body: { webhookUrl: _, ...credentials } }) => JSON.stringify(credentials))).size).toBe(
      expected.length,
    );
    expect(requests).toEqual(expected);
  });

  test('gives the first merchant an endpoint at the sandbox, and sends it a test event', async () => {
    const { merchants, endpoints } = await everything();
    const [first] = merchants;
    expect(endpoints).toMatchObject([
      { merchantId: first?.id, mode: 'test', url: `${sandboxUrl}/shop/balogun-street-fabrics`, enabled: true },
    ]);
    expect(await database.prisma.webhookDelivery.findMany()).toMatchObject([{ endpointId: endpoints[0]?.id, state: 'PENDING' }]);
  });

  test('makes an owner of everything', async () => {
    const { staff } = await everything();
    expect(staff).toMatchObject([
      { email: 'owner@switchyard.local', grants: [{ role: 'owner' }], accounts: [{ providerId: 'credential' }] },
    ]);
  });
});

describe('a later start', () => {
  test('changes nothing when nothing has changed, and registers the same at the sandbox', async () => {
    const before = [await everything(), await demo(), requests];
    await seed();
    expect([await everything(), await demo(), requests]).toEqual(before);
  });

  test('follows the simulators to another address and leaves what people changed', async () => {
    await database.prisma.merchant.updateMany({ where: { merchantNumber: 'M-100001' }, data: { name: 'Renamed' } });
    const before = await everything();
    const elsewhere = `${sandboxUrl}/elsewhere`;
    await seed({ SWITCHYARD_SANDBOX_URL: elsewhere });
    const after = await everything();
    expect(after.endpoints.map(({ url }) => url)).toEqual([`${elsewhere}/shop/balogun-street-fabrics`]);
    expect(after.accounts.map(({ baseUrl }) => baseUrl)).toEqual(
      before.accounts.map(({ baseUrl }) => (baseUrl ?? '').replace(sandboxUrl, elsewhere)),
    );
    expect(after.accounts.map(({ credentials }) => credentials)).toEqual(before.accounts.map(({ credentials }) => credentials));
    const apart = { accounts: [], endpoints: [], audit: 0 };
    expect({ ...after, ...apart }).toEqual({ ...before, ...apart });
    await database.prisma.webhookEndpoint.deleteMany();
    await seed();
    expect((await everything()).endpoints).toEqual([]);
  });

  test.each([
    ['gone', async (path: string) => rm(path)],
    ['broken', async (path: string) => writeFile(path, '{"secretKey": 7')],
  ])('without a usable file (it is %s) makes new keys and ends the old ones', async (_how, spoil) => {
    const old = await demo();
    await spoil(join(folder, 'local', 'demo.json'));
    await seed();
    const made = await demo();
    expect(made.secretKey).not.toBe(old.secretKey);
    expect(made.staffPassword).not.toBe(old.staffPassword);
    expect([await holderOf(made.secretKey), await holderOf(made.secondMerchantKey)]).toEqual(['test M-100001', 'test M-100002']);
    expect([await holderOf(old.secretKey), await holderOf(old.secondMerchantKey)]).toEqual(['refused', 'refused']);
    expect((await everything()).staff).toHaveLength(1);
  });

  test('on a database without the keys of the file makes new ones and keeps the sign-in', async () => {
    const old = await demo();
    await database.prisma.apiKey.updateMany({ where: { revokedAt: null }, data: { revokedAt: new Date() } });
    await seed();
    const made = await demo();
    expect(made.secretKey).not.toBe(old.secretKey);
    expect(made).toMatchObject({ staffEmail: old.staffEmail, staffPassword: old.staffPassword });
    expect(await holderOf(made.secretKey)).toBe('test M-100001');
  });
});

test('the demo staff user is created again after being deleted', async () => {
  const { staffPassword } = await demo();
  await database.prisma.staffUser.deleteMany();
  await seed();
  expect((await everything()).staff).toMatchObject([{ email: 'owner@switchyard.local' }]);
  expect((await demo()).staffPassword).toBe(staffPassword);
});

test('a database whose first connections take longer than payments wait for one is waited for', async () => {
  const { hostname, port } = new URL(database.url);
  let connections = 0;
  const slow = createTcpServer(async (socket) => {
    socket.on('error', () => undefined);
    connections += 1;
    if (connections <= 3) await pause(LONGER_THAN_A_PAYMENT_MS);
    const server = connect(Number(port), hostname).on('error', () => undefined);
    socket.pipe(server).pipe(socket);
  });
  await once(slow.listen(0, '127.0.0.1'), 'listening');
  const address = slow.address();
  const url = new URL(database.url);
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0);
  url.searchParams.delete('host'); // the server's socket, where it has one
  await seed({ DATABASE_URL: url.href });
  expect(connections).toBeGreaterThan(3);
  slow.close();
});

test('an environment that lacks something is refused, naming it', async () => {
  await expect(seed({ SWITCHYARD_DEMO_FILE: 'demo.json' })).rejects.toThrow(/SWITCHYARD_DEMO_FILE: must be an absolute path/);
});
