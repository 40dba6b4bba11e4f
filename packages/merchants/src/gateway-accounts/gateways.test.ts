import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectTestAccount, testAccount, testMerchant } from '../testing/accounts.ts';
import { ACCOUNTS_MAX, type ConnectGatewayCommand, connectGateway, listGateways, updateGateway } from './console.ts';
import type { GatewayAccountSettings } from './gateway-fields.ts';

const actor = 'staff:ada';
const credentials = { secretKey: 'FLWSECK_TEST-not-in-clear-anywhere-X', secretHash: 'short' };
let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
});

function command(changes: Partial<ConnectGatewayCommand> = {}): ConnectGatewayCommand {
  return { ...testAccount(), credentials, merchantId, mode: 'test', gateway: 'flutterwave', actor, ...changes };
}

async function connect(changes: Partial<ConnectGatewayCommand> = {}) {
  const outcome = await connectGateway(context, command(changes));
  if (outcome.kind !== 'connected') throw new Error(JSON.stringify(outcome));
  return outcome.account;
}

async function sealed(accountId: string): Promise<string> {
  const row = await context.database.prisma.gatewayAccount.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: accountId } },
  });
  return row.credentials ?? '';
}

describe('credentials', () => {
  test('open again under the binding of their own account, and under no other', async () => {
    const account = await connect();
    const other = await connect({ label: 'other' });
    const { vault } = context.resources;
    expect(JSON.parse(vault.open(await sealed(account.id), `${merchantId}/${account.id}`))).toEqual(credentials);
    await expect(sealed(account.id).then((text) => vault.open(text, `${merchantId}/${other.id}`))).rejects.toThrow();
  });

  test('are in clear in no table and no answer; four characters identify long ones', async () => {
    const account = await connect();
    await updateGateway(context, { merchantId, accountId: account.id, changes: { credentials }, actor });
    expect(account.credentialHint).toEqual({ secretKey: 're-X' });
    const answers = JSON.stringify([account, await listGateways(context, { merchantId })], (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const { rows: tables } = await context.database.pool.query<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const dumps = await Promise.all(
      tables.map(({ name }) => context.database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
    );
    const stored = dumps.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
    expect(stored).toContain('re-X');
    for (const text of [answers, stored]) {
      expect(text).not.toContain(credentials.secretKey);
      expect(text).not.toContain(`"${credentials.secretHash}"`);
    }
  });

  test('are replaced as a whole', async () => {
    const account = await connect();
    const replacement = { secretKey: 'FLWSECK_TEST-the-next-one-X' };
    await updateGateway(context, { merchantId, accountId: account.id, changes: { credentials: replacement }, actor });
    expect(JSON.parse(context.resources.vault.open(await sealed(account.id), `${merchantId}/${account.id}`))).toEqual(
      replacement,
    );
  });
});

describe('an account', () => {
  test('is listed as it was configured, in its mode', async () => {
    const { id } = await connect({ baseUrl: 'http://127.0.0.1:4012/v3', minAmount: 100, maxAmount: 1_000_000 });
    const [listed] = await listGateways(context, { merchantId, mode: 'test' });
    expect(listed).toMatchObject({
      id,
      gateway: 'flutterwave',
      label: 'paystack-main',
      enabled: true,
      hasCredentials: true,
      methods: ['CARD', 'TRANSFER'],
      currencies: ['NGN'],
      minAmount: 100n,
      maxAmount: 1_000_000n,
      baseUrl: 'http://127.0.0.1:4012/v3',
    });
    expect(await listGateways(context, { merchantId, mode: 'live' })).toEqual([]);
    expect(await listGateways(context, { merchantId: 'nobody' })).toEqual([]);
  });

  test('has a label of its own in its mode, and may share it across modes and merchants', async () => {
    await connect();
    expect(await connectGateway(context, command())).toEqual({ kind: 'label_taken' });
    expect(await connectGateway(context, command({ mode: 'live' }))).toMatchObject({ kind: 'connected' });
    const other = await connect({ label: 'other' });
    const rename = { merchantId, accountId: other.id, actor };
    expect(await updateGateway(context, { ...rename, changes: { label: 'paystack-main' } })).toEqual({ kind: 'label_taken' });
    expect(await updateGateway(context, { ...rename, changes: { label: 'other' } })).toMatchObject({ kind: 'updated' });
    merchantId = await testMerchant(context);
    expect(await connectGateway(context, command())).toMatchObject({ kind: 'connected' });
  });

  test('is one too many past the most a merchant may have', async () => {
    const first = await connect();
    const { hasCredentials: _, ...row } = first;
    const rows = Array.from({ length: ACCOUNTS_MAX - 1 }, (_item, index) => ({
      ...row,
      id: context.newId(),
      label: `a-${index}`,
      credentialHint: {},
    }));
    await context.database.prisma.gatewayAccount.createMany({ data: rows });
    expect(await connectGateway(context, command({ label: 'one-more' }))).toEqual({
      kind: 'too_many_accounts',
      limit: ACCOUNTS_MAX,
    });
  });

  test('of live mode has no base address but the gateway’s own', async () => {
    const problem = { kind: 'invalid', problems: [{ field: 'baseUrl', message: 'is for test accounts only' }] };
    expect(await connectGateway(context, command({ mode: 'live', baseUrl: 'https://gateway.example' }))).toEqual(problem);
    const live = await connect({ mode: 'live' });
    const changes = { baseUrl: 'https://gateway.example' };
    expect(await updateGateway(context, { merchantId, accountId: live.id, changes, actor })).toEqual(problem);
    const none = await updateGateway(context, { merchantId, accountId: live.id, changes: { baseUrl: null }, actor });
    expect(none).toMatchObject({ kind: 'updated' });
  });

  test('is changed in what was named and nothing else, by its own merchant only', async () => {
    const account = await connect();
    const off = await updateGateway(context, { merchantId, accountId: account.id, changes: { enabled: false }, actor });
    expect(off).toEqual({ kind: 'updated', account: { ...account, enabled: false, updatedAt: expect.any(Date) } });
    const stranger = await testMerchant(context);
    const changes = { enabled: true };
    expect(await updateGateway(context, { merchantId: stranger, accountId: account.id, changes, actor })).toEqual({
      kind: 'not_found',
    });
    expect((await listGateways(context, { merchantId }))[0]?.enabled).toBe(false);
  });

  test('keeps its smallest amount below its largest, whichever of them is changed', async () => {
    const crossed = { kind: 'invalid', problems: [{ field: 'maxAmount', message: 'must not be below the smallest amount' }] };
    expect(await connectGateway(context, command({ minAmount: 10, maxAmount: 9 }))).toEqual(crossed);
    const accountId = (await connect({ minAmount: 10, maxAmount: 20 })).id;
    for (const changes of [{ minAmount: 21 }, { maxAmount: 9 }, { minAmount: 5, maxAmount: 4 }]) {
      expect(await updateGateway(context, { merchantId, accountId, changes, actor })).toEqual(crossed);
    }
    for (const changes of [{ minAmount: 20 }, { maxAmount: null }, { minAmount: 1_000 }]) {
      expect(await updateGateway(context, { merchantId, accountId, changes, actor })).toMatchObject({ kind: 'updated' });
    }
  });
});

describe('a field that is wrong', () => {
  const wrong: [field: keyof GatewayAccountSettings, at: string, value: unknown][] = [
    ['label', 'label', 'Paystack Main'],
    ['label', 'label', '-a'],
    ['label', 'label', 'a'.repeat(61)],
    ['credentials', 'credentials', {}],
    ['credentials', 'credentials', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`field${index}`, 'x']))],
    ['credentials', 'credentials.secret key', { 'secret key': 'x' }],
    ['credentials', 'credentials.secretKey', { secretKey: 'x'.repeat(4_001) }],
    ['currencies', 'currencies', []],
    ['currencies', 'currencies.0', ['ngn']],
    ['methods', 'methods', []],
    ['methods', 'methods', ['CARD', 'CARD']],
    ['methods', 'methods.0', ['CASH']],
    ['minAmount', 'minAmount', -1],
    ['minAmount', 'minAmount', 1.5],
    ['maxAmount', 'maxAmount', 1_000_000_000_001],
    ['baseUrl', 'baseUrl', 'ftp://gateway.example'],
    ['baseUrl', 'baseUrl', 'https://user:word@gateway.example'],
    ['baseUrl', 'baseUrl', 'https://gateway.example/?a=b'],
    ['baseUrl', 'baseUrl', '127.0.0.1:4011'],
  ];

  test.each(wrong)('%s is named, as %s, when connecting and when changing', async (field, at, value) => {
    const accountId = await connectTestAccount(context, merchantId, 'main');
    const problems = [{ field: at, message: expect.stringMatching(/^(must|is not)/) }];
    expect(await connectGateway(context, { ...command(), [field]: value })).toEqual({ kind: 'invalid', problems });
    const changes = { [field]: value };
    expect(await updateGateway(context, { merchantId, accountId, changes, actor })).toEqual({ kind: 'invalid', problems });
  });
});
