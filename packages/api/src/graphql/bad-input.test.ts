import { newId } from '@switchyard/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sendGraphql, serveOverHttp } from '../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../testing/switchyard.ts';
import { LIMITS } from './builder.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let browser: Browser;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  await recordPayment(switchyard, merchantId, 'order-1');
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId: null, role: 'owner' }]));
  served = await serveOverHttp(switchyard);
});
afterAll(async () => {
  await served.close();
  await close();
});

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** The two mounts of the handler: Node's own HTTP server, and web standards as Next's route handlers use them. */
const MOUNTS = {
  node: (body: string) =>
    fetch(`${served.url}/api/graphql`, {
      method: 'POST',
      headers: browser.headers({ 'content-type': 'application/json' }),
      body,
    }),
  web: (body: string) => {
    const headers = browser.headers({ 'content-type': 'application/json' });
    return sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }));
  },
} as const;

const NUL = '\u0000';
const TIMES = 'from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z"';

/** A query with its variables. */
function query(selection: string): string {
  const used = Object.entries({ x: '[ID!]', text: '[String!]' }).filter(([name]) => selection.includes(`$${name}`));
  const declared = used.map(([name, type]) => `$${name}: ${type}`).join(', ');
  return `query ${declared === '' ? '' : `(${declared}) `}{ ${selection} }`;
}
const list = (field: string, filter: string, page = '') =>
  query(`${field}(filter: { mode: test ${filter} }${page}) { edges { cursor } }`);
const payments = (filter: string) => list('payments', filter);
const volume = (filter: string) =>
  query(`volume(filter: { mode: test, ${TIMES} ${filter} }) {
    ... on VolumeReport { total { payments } } ... on InvalidInput { problems } }`);
const settlement = (filter: string) =>
  query(`settlement(filter: { mode: test, ${TIMES} ${filter} }) {
    ... on SettlementList { data { day } } ... on InvalidInput { problems } }`);
const performance = (filter: string) =>
  query(`gatewayPerformance(filter: { mode: test, ${TIMES} ${filter} }) {
    ... on GatewayPerformanceList { data { attempts } } ... on InvalidInput { problems } }`);
const OTHER_LISTS = ['refunds', 'duplicateCharges', 'reconciliation', 'webhookDeliveries'];
const LISTS = ['payments', ...OTHER_LISTS];

const BAD_IDS: readonly (readonly [string, string])[] = [
  ['payments by account', payments(', accountIds: $x')],
  ['payments by merchant', payments(', merchantIds: $x')],
  ['volume by account', volume(', accountIds: $x')],
  ['volume by merchant', volume(', merchantIds: $x')],
  ['settlement by account', settlement(', accountIds: $x')],
  ['settlement by merchant', settlement(', merchantIds: $x')],
  ['performance by merchant', performance(', merchantIds: $x')],
  ...OTHER_LISTS.map((field) => [`${field} by merchant`, list(field, ', merchantIds: $x')] as const),
];

describe.each(['node', 'web'] as const)('over the mount called %s', (mount) => {
  async function ask(body: object): Promise<Answer> {
    return (await MOUNTS[mount](JSON.stringify(body))).json();
  }

  describe.each(BAD_IDS)('%s', (name, query) => {
    test.each(['zz', '', `0190a000-0000-7000-8000-00000000000${NUL}`])(
      'refuses %j, which is not an id, naming the argument',
      async (id) => {
        const { data, errors } = await ask({ query, variables: { x: [id] } });
        expect(data ?? null).toBeNull();
        expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
        expect(errors?.[0]?.message).toMatch(name.includes('account') ? /accountIds/ : /merchantIds/);
      },
    );
  });

  test('an unknown account id matches nothing', async () => {
    const answer = await ask({ query: payments(', accountIds: $x'), variables: { x: [newId()] } });
    expect(answer).toMatchObject({ data: { payments: { edges: [] } } });
  });

  test.each([
    ['payments by gateway', payments(', gateways: $text'), 'gateways'],
    ['payments by method', payments(', methods: $text'), 'methods'],
    ['volume by gateway', volume(', gateways: $text'), 'gateways'],
    ['volume by method', volume(', methods: $text'), 'methods'],
  ])('%s refuses text that no database holds', async (_, query, field) => {
    for (const text of [`CARD${NUL}`, '\ud800']) {
      const { data, errors } = await ask({ query, variables: { text: [text] } });
      expect(data ?? null).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(errors?.[0]?.message).toContain(field);
    }
  });

  test.each([
    ['payments', payments(', ruleIds: $x')],
    ['volume', volume(', ruleIds: $x')],
  ])('%s refuses a rule id that no database holds', async (_, query) => {
    const { errors } = await ask({ query, variables: { x: [`r1${NUL}`] } });
    expect(errors).toMatchObject([{ message: expect.stringContaining('ruleIds'), extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test('an order id that PostgreSQL cannot store is refused', async () => {
    const query = `query ($order: MerchantOrder!) { payment(order: $order) { id } }`;
    const order = { merchantId: newId(), mode: 'test', merchantOrderId: `o${NUL}` };
    const { errors } = await ask({ query, variables: { order } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test.each([NUL, `${NUL}.${newId()}`, 'x'])('the cursor %j is refused as bad input', async (after) => {
    const query = 'query ($after: String) { payments(filter: { mode: test }, after: $after) { edges { cursor } } }';
    const { errors } = await ask({ query, variables: { after } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_CURSOR' } }]);
  });

  test.each(['+200000-01-01T00:00:00Z', '-200000-01-01T00:00:00Z'])(
    'the moment %s, which no database holds, is refused',
    async (at) => {
      const query = `query ($at: DateTime) { payments(filter: { mode: test, createdFrom: $at }) { edges { cursor } } }`;
      const { errors } = await ask({ query, variables: { at } });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    },
  );

  describe.each(LISTS)('a page of %s', (field) => {
    test.each([
      ['first: -1', 'first'],
      ['last: -1', 'last'],
      [`first: ${LIMITS.page + 1}`, `first`],
      [`last: ${LIMITS.page + 1}`, 'last'],
      ['first: 5, last: 5', 'first'],
    ])('of %s is refused by name', async (page, name) => {
      const { data, errors } = await ask({ query: list(field, '', `, ${page}`) });
      expect(data ?? null).toBeNull();
      expect(errors).toMatchObject([{ message: expect.stringContaining(name), extensions: { code: 'BAD_USER_INPUT' } }]);
    });

    test.each([`first: ${LIMITS.page}`, `last: ${LIMITS.page}`, 'first: 0', 'last: 1'])('of %s is returned', async (page) => {
      const { data, errors } = await ask({ query: list(field, '', `, ${page}`) });
      expect(errors).toBeUndefined();
      expect(data).toHaveProperty(field);
    });
  });

  const aliases = `{ ${Array.from({ length: LIMITS.aliases + 1 }, (_, at) => `a${at}: systemHealth { checkedAt }`).join(' ')} }`;
  test.each([
    ['too many aliases', { query: aliases }, 'TOO_COSTLY'],
    ['too many tokens', { query: `{ systemHealth { ${'checkedAt '.repeat(LIMITS.tokens)} } }` }, 'TOO_COSTLY'],
    ['no query', {}, 'BAD_REQUEST'],
    ['a query that is null', { query: null }, 'BAD_REQUEST'],
    ['a query that is a number', { query: 1 }, 'BAD_REQUEST'],
    ['variables that are text', { query: '{ __typename }', variables: 'x' }, 'BAD_REQUEST'],
    [
      'a name of no operation',
      { query: 'query A { __typename } query B { __typename }', operationName: 'C' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'a hash of no operation',
      { extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
      'PERSISTED_QUERY_NOT_IN_LIST',
    ],
    ['an unknown parameter', { query: '{ __typename }', nonsense: 1 }, 'BAD_REQUEST'],
    ['text that is not a query', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['a variable of another type', { query: payments(', accountIds: $x'), variables: { x: [{}] } }, 'BAD_USER_INPUT'],
    ['a missing variable', { query: 'query ($id: ID!) { payment(id: $id) { id } }' }, 'BAD_USER_INPUT'],
    ['an invalid timestamp', { query: payments(', createdFrom: "x"') }, 'GRAPHQL_VALIDATION_FAILED'],
    ['a mutation', { query: 'mutation { x }' }, 'BAD_USER_INPUT'],
  ])('%s is an error with a code', async (_, body, code) => {
    const { data, errors } = await ask(body);
    expect(data ?? null).toBeNull();
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(errors?.map(() => code));
    expect(errors?.length).toBeGreaterThan(0);
  });

  test('a body that is not JSON is an error with a code', async () => {
    const { errors }: Answer = await (await MOUNTS[mount]('{')).json();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  });
});
