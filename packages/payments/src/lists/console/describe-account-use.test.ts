import { randomUUID } from 'node:crypto';
import { checkAccountAtGateway, describeGateways } from '@switchyard/merchants/console/gateway-accounts';
import { createTestMerchant, publish, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countRefusedWebhook, storeGatewayWebhook } from '../../incoming/queries.ts';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { describeAccountUse, describeGatewayUse, listAccountUse } from './describe-account-use.ts';
import {
  countGatewayWebhooks,
  type GatewayWebhookPage,
  type GatewayWebhooksQuery,
  listGatewayWebhooks,
  type ReceivedWithin,
} from './list-gateway-webhooks.ts';

let context: TestPayments;
let merchant: TestMerchant;
const start = new Date('2026-11-20T14:00:05Z');

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(start);
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': { methods: ['CARD'] } });
});

const id = (label: string) => merchant.accounts[label] ?? '';
const own = () => ({ merchantIds: [merchant.merchantId] });

describe('the usage of an account', () => {
  test('covers its payments of a day, the live rules that name it, its default position and the methods only it supports', async () => {
    const when = { currency: 'NGN', methods: ['CARD' as const], amount: { from: 0, to: null } };
    const rule = (ruleId: string, enabled: boolean, account: string) => {
      return { ruleId, name: `Rule ${ruleId}`, enabled, when, then: { strategy: 'priority' as const, accounts: [id(account)] } };
    };
    const rules = [rule('r1', true, 'paystack-main'), rule('r2', false, 'paystack-main'), rule('r3', true, 'flutterwave-main')];
    await publish(context, merchant.merchantId, { rules, defaultOrder: [id('flutterwave-main'), id('paystack-main')] });
    expect(await describeAccountUse(context, { ...own(), accountId: id('paystack-main') })).toEqual({
      accountId: id('paystack-main'),
      payments: 0,
      lastAt: null,
      rules: [{ ruleId: 'r1', name: 'Rule r1' }],
      defaultPlace: 2,
      onlyFor: ['TRANSFER', 'USSD'],
    });
    expect(await describeAccountUse(context, { merchantIds: [], accountId: id('paystack-main') })).toBeNull();
  });

  test('counts each payment once, of the last day only, and lists unused accounts', async () => {
    await recordPayment(context, merchant.merchantId, {});
    const use = await listAccountUse(context, { ...own(), mode: 'test' });
    expect(use.map(({ payments }) => payments).sort()).toEqual([0, 1]);
    context.setClock(new Date(start.getTime() + 25 * 3_600_000));
    const later = await listAccountUse(context, { ...own(), mode: 'test' });
    expect(later.map(({ payments, lastAt }) => [payments, lastAt])).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});

describe('the usage of a gateway', () => {
  test('adds up the payments of a day at its accounts, and names the merchants that could not take some payments without it', async () => {
    const other = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
    await recordPayment(context, merchant.merchantId, {});
    const merchantIds = [merchant.merchantId, other.merchantId];
    const use = await describeGatewayUse(context, { merchantIds, gateway: 'paystack', mode: 'test' });
    expect(use).toMatchObject({
      gateway: 'paystack',
      accounts: 2,
      merchants: 2,
      stranded: [{ merchantId: merchant.merchantId, methods: ['TRANSFER', 'USSD'] }],
      strandedCount: 1,
    });
    const own = await listAccountUse(context, { merchantIds, mode: 'test' });
    const at = own.filter(({ accountId }) => [id('paystack-main'), other.accounts['paystack-main']].includes(accountId));
    expect(use.payments).toBe(at.reduce((sum, { payments }) => sum + payments, 0));
  });

  test('is of the merchants that were asked for, and of one mode', async () => {
    const none = { accounts: 0, merchants: 0, payments: 0, stranded: [], strandedCount: 0 };
    expect(await describeGatewayUse(context, { merchantIds: [], gateway: 'paystack', mode: 'test' })).toMatchObject(none);
    expect(await describeGatewayUse(context, { ...own(), gateway: 'paystack', mode: 'live' })).toMatchObject(none);
  });
});

describe('webhooks of a gateway', () => {
  async function deliver(dedupeKey: string, receivedAt: Date): Promise<void> {
    const webhook = {
      merchantId: merchant.merchantId,
      webhookId: context.newId(),
      accountId: id('paystack-main'),
      gateway: 'paystack',
      dedupeKey,
      event: 'charge.success',
      reference: 'r',
      transactionId: null,
      body: '{}',
      relevant: false,
    };
    await storeGatewayWebhook(context.resources.database, webhook, null, receivedAt);
  }

  const anyTime = { receivedFrom: null, receivedTo: null };

  test('are listed without their bodies, repeats counted, page by page; refused ones by hour and reason', async () => {
    const keys = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, key] of keys.entries()) await deliver(key, new Date(start.getTime() + index * 1_000));
    await deliver(keys[0] ?? '', start);
    const { database } = context.resources;
    const refuse = (why: string) => countRefusedWebhook(database, merchant.merchantId, id('paystack-main'), why, start);
    for (const why of ['bad_signature', 'bad_signature', 'malformed']) await refuse(why);
    const query = { ...own(), ...anyTime, accountId: id('paystack-main'), state: null, newestFirst: true, limit: 2 };
    const first = await listGatewayWebhooks(context, { ...query, after: null });
    expect(first?.webhooks.map(({ dedupeKey, deliveries }) => [dedupeKey, deliveries])).toEqual([
      [keys[2], 1],
      [keys[1], 1],
    ]);
    expect(Object.keys(first?.webhooks[0] ?? {})).not.toContain('body');
    expect(first?.lastGenuineAt).toEqual(new Date(start.getTime() + 2_000));
    expect(first?.refused).toEqual([
      { why: 'bad_signature', hourAt: new Date('2026-11-20T14:00:00Z'), count: 2 },
      { why: 'malformed', hourAt: new Date('2026-11-20T14:00:00Z'), count: 1 },
    ]);
    const second = await listGatewayWebhooks(context, { ...query, after: first?.next ?? null });
    expect(second?.webhooks.map(({ deliveries }) => deliveries)).toEqual([2]);
    expect(second?.next).toBeNull();
    expect(await listGatewayWebhooks(context, { ...query, merchantIds: [], after: null })).toBeNull();
  });

  test('are listed oldest first, by state and by time, page by page, and counted by state', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}-${randomUUID()}`);
    for (const [index, key] of keys.entries()) await deliver(key, new Date(start.getTime() + index * 1_000));
    const [a, b, c, d, e] = keys;
    const { database } = context.resources;
    const where = { merchantId: merchant.merchantId, dedupeKey: { in: [b ?? '', d ?? ''] } };
    await database.prisma.gatewayWebhook.updateMany({ where, data: { state: 'PROCESSED' } });
    const query = { ...own(), ...anyTime, accountId: id('paystack-main'), limit: 2 };
    const inside = { receivedFrom: new Date(start.getTime() + 1_000), receivedTo: new Date(start.getTime() + 4_000) };
    const readAll = async (part: Pick<GatewayWebhooksQuery, 'state' | 'newestFirst'> & Partial<ReceivedWithin>) => {
      const found: string[] = [];
      for (let after: GatewayWebhookPage['next'] = null, pages = 0; pages < 5; pages++) {
        const page = await listGatewayWebhooks(context, { ...query, ...part, after });
        found.push(...(page?.webhooks ?? []).map(({ dedupeKey }) => dedupeKey));
        after = page?.next ?? null;
        if (after === null) return found;
      }
      throw new Error('the pages do not end');
    };
    expect(await readAll({ state: null, newestFirst: true })).toEqual([e, d, c, b, a]);
    expect(await readAll({ state: null, newestFirst: false })).toEqual([a, b, c, d, e]);
    expect(await readAll({ state: 'PROCESSED', newestFirst: true })).toEqual([d, b]);
    expect(await readAll({ state: 'IGNORED', newestFirst: false })).toEqual([a, c, e]);
    expect(await readAll({ state: 'RECEIVED', newestFirst: false })).toEqual([]);
    expect(await readAll({ ...inside, state: null, newestFirst: true })).toEqual([d, c, b]);
    const exactly = (count: number) => ({ count, more: false });
    expect(await countGatewayWebhooks(context, query)).toEqual({
      counts: { all: exactly(5), byState: { RECEIVED: exactly(0), PROCESSED: exactly(2), IGNORED: exactly(3) } },
    });
    expect((await countGatewayWebhooks(context, { ...query, ...inside }))?.counts?.byState).toMatchObject({
      PROCESSED: exactly(2),
      IGNORED: exactly(1),
    });
    expect(await countGatewayWebhooks(context, { ...query, merchantIds: [] })).toBeNull();
  });
});

describe('an account at a gateway', () => {
  test('requires the fields of the gateway, with the labels and the help of its own schema and secrets marked', () => {
    const kinds = new Map(describeGateways().map((kind) => [kind.name, kind.fields]));
    expect(kinds.get('paystack')).toEqual([{ name: 'secretKey', label: 'Secret key', help: null, secret: true, required: true }]);
    expect(kinds.get('flutterwave')?.map(({ name, label, help, required }) => [name, label, help, required])).toEqual([
      ['secretKey', 'Secret key', null, true],
      ['secretHash', 'Secret hash', expect.stringMatching(/Flutterwave's dashboard$/), false],
      ['dialect', 'API version', expect.stringMatching(/^v3; of v4 webhooks are read alone/), false],
    ]);
  });

  test('is validated field by field', () => {
    const entered = { credentials: { secretKey: 'short' }, methods: ['CARD', 'WALLET'], currencies: ['NGN', 'XOF'] };
    expect(checkAccountAtGateway('paystack', entered)).toEqual({
      kind: 'invalid',
      problems: [
        { field: 'methods', message: 'Paystack does not take WALLET' },
        { field: 'currencies', message: 'Paystack does not take XOF' },
        { field: 'credentials.secretKey', message: expect.stringMatching(/^must be the secret key Paystack shows/) },
      ],
    });
    expect(checkAccountAtGateway('nobody', entered)).toEqual({ kind: 'unknown_gateway' });
  });
});
