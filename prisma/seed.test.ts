import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { openResources, type Resources } from '@switchyard/merchants';
import { authenticate } from '@switchyard/merchants/api-keys';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { gatewayNames, simulators } from '@switchyard/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

// Each is a whole start, and some are several.
vi.setConfig({ testTimeout: 60_000 });

const program = fileURLToPath(new URL('seed.ts', import.meta.url));
const run = promisify(execFile);

let database: TestDatabase;
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'switchyard-seed-'));
  environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_AUTH_SECRET: randomBytes(32).toString('base64'),
    SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:3000',
    SWITCHYARD_SANDBOX_URL: 'http://127.0.0.1:4010',
    SWITCHYARD_DEMO_FILE: join(folder, 'local', 'demo.json'),
    SWITCHYARD_DEMO_WEEK: '0',
  };
  await seed();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function seed(changes: Record<string, string> = {}): Promise<void> {
  await run(process.execPath, [program], { env: { PATH: process.env.PATH, ...environment, ...changes }, timeout: 120_000 });
}

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, 'local', name), 'utf8'));
}

async function demo(): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(Object(await readJson('demo.json'))).map(([name, value]) => [name, String(value)]));
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
      sandboxUrl: 'http://127.0.0.1:4010',
      secretKey: expect.stringMatching(/^sk_test_/),
      secondMerchantKey: expect.stringMatching(/^sk_test_/),
      staffEmail: 'owner@switchyard.local',
      staffPassword: expect.stringMatching(/^.{20,}$/),
    });
    for (const name of ['demo.json', 'sandbox.json', 'seed.json']) {
      expect((await stat(join(folder, 'local', name))).mode & 0o777).toBe(0o600);
    }
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
          baseUrl: `http://127.0.0.1:4010/${gateway}${simulators[gateway].apiPath}`,
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

  test('writes the keys the sandbox must accept, each as the account has it and with its webhook address', async () => {
    const { accounts } = await everything();
    const expected = await withResources(async ({ vault }) =>
      accounts.map(({ merchantId, id, gateway, credentials }) => {
        const webhookUrl = `http://127.0.0.1:3000/webhooks/${gateway}/${id}`;
        const body = { webhookUrl, ...JSON.parse(vault.open(credentials ?? '', `${merchantId}/${id}`)) };
        return { path: `${gateway}/keys`, body };
      }),
    );
    expect(expected).toHaveLength(2 * gatewayNames.length);
    expect(new Set(expected.map(({ body: { webhookUrl: _, ...credentials } }) => JSON.stringify(credentials))).size).toBe(
      expected.length,
    );
    expect(await readJson('sandbox.json')).toEqual(expected);
  });

  test('gives the first merchant an endpoint at the sandbox, and sends it a test event', async () => {
    const { merchants, endpoints } = await everything();
    const [first] = merchants;
    expect(endpoints).toMatchObject([
      { merchantId: first?.id, mode: 'test', url: 'http://127.0.0.1:4010/shop/balogun-street-fabrics', enabled: true },
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
  test.each([
    ['with its stamp', async () => undefined],
    ['without its stamp', async () => rm(join(folder, 'local', 'seed.json'))],
  ])('changes nothing when nothing has changed, %s', async (_how, prepare) => {
    await prepare();
    const before = await everything();
    const files = [await demo(), await readJson('sandbox.json')];
    await seed();
    expect(await everything()).toEqual(before);
    expect([await demo(), await readJson('sandbox.json')]).toEqual(files);
  });

  test('follows the simulators to another address and leaves what people changed', async () => {
    await database.prisma.merchant.updateMany({ where: { merchantNumber: 'M-100001' }, data: { name: 'Renamed' } });
    const before = await everything();
    await seed({ SWITCHYARD_SANDBOX_URL: 'http://127.0.0.1:5010' });
    const after = await everything();
    expect(after.endpoints.map(({ url }) => url)).toEqual(['http://127.0.0.1:5010/shop/balogun-street-fabrics']);
    expect(after.accounts.map(({ baseUrl }) => baseUrl)).toEqual(
      before.accounts.map(({ baseUrl }) => (baseUrl ?? '').replace('4010', '5010')),
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
    await database.prisma.configurationRevision.updateMany({ data: { revision: { increment: 1 } } });
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

test('an environment that lacks something is refused, naming it', async () => {
  await expect(seed({ SWITCHYARD_DEMO_FILE: 'demo.json' })).rejects.toThrow(/SWITCHYARD_DEMO_FILE: must be an absolute path/);
});
