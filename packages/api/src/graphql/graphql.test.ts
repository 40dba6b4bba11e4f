import { type GraphQLField, getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sendGraphql } from '../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../testing/switchyard.ts';
import { LIMITS } from './builder.ts';
import { schema } from './handle.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let first: string;
let second: string;
let browser: Browser;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  first = await createTestMerchant(switchyard, 'Balogun Books');
  second = await createTestMerchant(switchyard, 'Ade Fabrics');
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId: first, role: 'viewer' }]));
});
afterAll(() => close());

function post(body: unknown, headers = browser.headers({ 'content-type': 'application/json' })): Promise<Response> {
  return sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body: JSON.stringify(body) }));
}
const ask = async (query: string, variables?: Record<string, unknown>) => (await post({ query, variables })).json();

describe('the schema', () => {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const ours = types.filter(({ name }) => !['String', 'Int', 'Float', 'Boolean', 'ID'].includes(name));

  test.each(ours.map((type) => [type.name, type] as const))('describes %s and all its fields', (_, type) => {
    expect(type.description).toMatch(/\S/);
    if ('getValues' in type) for (const value of type.getValues()) expect(value.description, value.name).toMatch(/\S/);
    if (!('getFields' in type)) return;
    for (const field of Object.values(type.getFields())) {
      expect(field.description, `${type.name}.${field.name}`).toMatch(/\S/);
      for (const argument of 'args' in field ? field.args : []) expect(argument.description, argument.name).toMatch(/\S/);
    }
  });

  test('has no query without a permission', () => {
    const fields: GraphQLField<unknown, unknown>[] = Object.values(schema.getQueryType()?.getFields() ?? {});
    for (const { name, extensions } of fields) {
      const options: unknown = extensions.pothosOptions;
      expect(options, name).toMatchObject({ authScopes: { permission: expect.stringMatching(/^\w+:\w+$/) } });
    }
    expect(fields.length).toBeGreaterThan(0);
    expect(schema.getMutationType()).toBeUndefined();
  });

  test('uses the money type for every amount', () => {
    const payment = schema.getType('Payment');
    const fields = payment !== undefined && 'getFields' in payment ? payment.getFields() : {};
    expect(String(fields.amount?.type)).toBe('Amount!');
  });
});

describe('a query', () => {
  test('reads the health of the system', async () => {
    const { data } = await ask('{ systemHealth { database { up } configuration { current } gateways { gateway accounts } } }');
    expect(data.systemHealth).toEqual({
      database: { up: true },
      configuration: { current: true },
      gateways: [{ gateway: 'paystack', accounts: 1 }],
    });
  });

  test('reads a payment, with its amount as a number', async () => {
    const id = await recordPayment(switchyard, first, 'order-1');
    const { data } = await ask('query ($id: ID!) { payment(id: $id) { id amount status merchantOrderId timeline { type } } }', {
      id,
    });
    expect(data.payment).toEqual({
      id,
      amount: 2_500,
      status: 'INITIATED',
      merchantOrderId: 'order-1',
      timeline: [{ type: 'payment.initiated' }],
    });
  });

  test('reads the events that are not stored because the payment and its attempts say them', async () => {
    const id = await recordPayment(switchyard, first, 'order-of-few-events');
    const { prisma } = switchyard.resources.database;
    await prisma.timelineEvent.deleteMany({ where: { merchantId: first, paymentId: id } });
    const { data } = await ask('query ($id: ID!) { payment(id: $id) { timeline { id type } } }', { id });
    expect(data.payment).toEqual({ timeline: [{ id, type: 'payment.initiated' }] });
  });

  test('returns null for payments of other merchants and for invalid ids', async () => {
    const theirs = await recordPayment(switchyard, second, 'order-2');
    for (const id of [theirs, 'nonsense', '0190a000-0000-7000-8000-000000000000']) {
      const { data, errors } = await ask('query ($id: ID!) { payment(id: $id) { id } }', { id });
      expect([data, errors]).toEqual([{ payment: null }, undefined]);
    }
  });

  test('is refused without the role', async () => {
    const withoutRoles = new Browser(switchyard);
    await withoutRoles.signIn(await createStaffWithGrants(switchyard, 'nobody@example.com', []));
    const response = await post(
      { query: '{ systemHealth { checkedAt } }' },
      withoutRoles.headers({ 'content-type': 'application/json' }),
    );
    const { data, errors } = await response.json();
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('that fails internally reports nothing else', async () => {
    const now = () => {
      throw new Error('secret-detail');
    };
    const headers = browser.headers({ 'content-type': 'application/json' });
    const body = JSON.stringify({ query: '{ systemHealth { checkedAt } }' });
    const response = await sendGraphql(
      { ...switchyard, now },
      new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }),
    );
    const text = await response.text();
    expect(text).toContain('Something went wrong on our side');
    expect(text).not.toMatch(/secret-detail|stack/);
  });
});

describe('an abusive query', () => {
  const aliases = (count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: systemHealth { checkedAt }`).join(' ')} }`;

  test.each([
    ['too many aliases', () => aliases(LIMITS.aliases + 1)],
    ['too many tokens', () => `{ systemHealth { ${'checkedAt '.repeat(LIMITS.tokens)} } }`],
    ['fragments that contain each other', () => 'query { ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['a thousand directives', () => `{ systemHealth ${'@include(if: true) '.repeat(300)} { checkedAt } }`],
    ['an unknown field', () => '{ nothing }'],
  ])('with %s is refused before anything is read', async (_, query) => {
    const { data, errors } = await ask(query());
    expect(errors.length).toBeGreaterThan(0);
    expect(data ?? null).toBeNull();
  });

  test('as deep as the schema goes is answered', async () => {
    const deep = 'query ($id: ID!) { payment(id: $id) { decision { candidates { conditions { detail } } } } }';
    expect((await ask(deep, { id: 'x' })).errors).toBeUndefined();
  });

  test('in a batch is refused', async () => {
    const response = await post([{ query: '{ systemHealth { checkedAt } }' }, { query: '{ systemHealth { checkedAt } }' }]);
    expect(response.ok).toBe(false);
    expect(await response.text()).not.toContain('"data":{');
  });
});

describe('the endpoint', () => {
  test('shows the schema to signed-in staff users only', async () => {
    const { data } = await ask(getIntrospectionQuery());
    expect(data.__schema.queryType.name).toBe('Query');
    const stranger = await post(
      { query: getIntrospectionQuery() },
      new Headers({ origin: ORIGIN, 'content-type': 'application/json' }),
    );
    expect(stranger.status).toBe(401);
    expect(await stranger.text()).not.toContain('__schema');
  });

  test('accepts queries from our own pages only, by GET too', async () => {
    const url = `${ORIGIN}/api/graphql?query={systemHealth{checkedAt}}`;
    expect((await sendGraphql(switchyard, new Request(url, { headers: browser.headers() }))).status).toBe(200);
    const elsewhere = browser.headers({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect((await sendGraphql(switchyard, new Request(url, { headers: elsewhere }))).status).toBe(403);
    const foreign = browser.headers({ 'content-type': 'application/json', origin: 'https://evil.example' });
    expect((await post({ query: '{ systemHealth { checkedAt } }' }, foreign)).status).toBe(403);
    expect(
      (await post({ query: '{ systemHealth { checkedAt } }' }, browser.headers({ 'content-type': 'text/plain' }))).status,
    ).toBe(415);
    expect((await post({ query: `{ systemHealth { checkedAt } } #${'x'.repeat(70_000)}` })).status).toBe(413);
  });
});
