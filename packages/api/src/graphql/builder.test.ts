import type { ReportsSource } from '@switchyard/db';
import { getNamedType, isObjectType, isUnionType } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { countActiveReportQueries, sendGraphql, serveOverHttp } from '../testing/served.ts';
import { Browser, createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard } from '../testing/switchyard.ts';
import { LIMITS } from './builder.ts';
import { schema } from './handle.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
/** Queries that reached the reporting database. */
let queryCount = 0;

beforeAll(async () => {
  const opened = await openTestSwitchyard();
  const { reports } = opened.switchyard.resources;
  const counted = <Source extends ReportsSource>(source: Source): Source => ({
    ...source,
    get prisma() {
      queryCount += 1;
      return source.prisma;
    },
    read: (questions, options) => {
      queryCount += 1;
      return source.read(questions, options);
    },
  });
  const counting = counted<typeof reports>({
    ...reports,
    inSnapshot: (read) => reports.inSnapshot((snapshot) => read(counted(snapshot))),
  });
  switchyard = { ...opened.switchyard, resources: { ...opened.switchyard.resources, reports: counting } };
  close = opened.close;
  const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(() => close());
afterEach(() => {
  queryCount = 0;
});

async function send(body: string, signal?: AbortSignal): Promise<string> {
  const headers = browser.headers({ 'content-type': 'application/json' });
  const init = { method: 'POST', headers, body, ...(signal !== undefined && { signal }) };
  return (await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, init))).text();
}

const ask = (body: unknown) => send(JSON.stringify(body));

/** The same over a connection, which is closed when the query is aborted. */
async function overHttp(body: string, signal: AbortSignal): Promise<string> {
  const served = await serveOverHttp(switchyard);
  const headers = browser.headers({ 'content-type': 'application/json' });
  try {
    return await (await fetch(`${served.url}/api/graphql`, { method: 'POST', headers, body, signal })).text();
  } finally {
    await served.close();
  }
}

const PERIOD = 'mode: test, from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z"';
const volume = (filter = PERIOD) =>
  `volume(filter: { ${filter} }) { ... on InvalidInput { problems } ... on VolumeReport { total { payments } } }`;
const times = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at)).join(' ');

const DEAR =
  '{ payments(filter: { mode: test }, first: 500) { edges { node { id attempts { id } refunds { id } timeline { id } deliveries { id } duplicateCharges { id } decision { candidates { conditions { detail } } } } } } }';
const BROAD = `{ ${times(14, (at) => `a${at}: payments(filter: { mode: test }, first: 1) { edges { node { ${paymentFields()} } } }`)} }`;
const CIRCLE = '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }';

describe('a query beyond the limits', () => {
  test.each([
    ['aliases', `{ ${times(LIMITS.aliases + 1, (at) => `a${at}: ${volume()}`)} }`, /alias/i],
    ['tokens', `{ ${volume()} systemHealth { ${'checkedAt '.repeat(LIMITS.tokens)} } }`, /token/i],
    ['cost', DEAR, /complexity/i],
    ['breadth', BROAD, /breadth/i],
    [
      'length of its period',
      `{ ${volume('mode: test, from: "2025-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z"')} }`,
      new RegExp(`${LIMITS.days} days`),
    ],
  ])('in its %s is refused, and nothing is read', async (_, query, why) => {
    expect(await ask({ query })).toMatch(why);
    expect(queryCount).toBe(0);
  });

  describe.each([
    ['that names no media type', {}],
    ['that takes JSON', { accept: 'application/json' }],
    ['that takes GraphQL responses', { accept: 'application/graphql-response+json' }],
  ])('is answered HTTP 400 to a client %s', (_, accept) => {
    test.each([
      ['aliases', `{ ${times(LIMITS.aliases + 1, (at) => `a${at}: ${volume()}`)} }`],
      ['aliases in fragments', `{ ...A } fragment A on Query { ${times(LIMITS.aliases + 1, (at) => `a${at}: ${volume()}`)} }`],
      ['tokens', `{ ${volume()} systemHealth { ${'checkedAt '.repeat(LIMITS.tokens)} } }`],
      ['cost', DEAR],
      ['breadth', BROAD],
      ['depth of introspection', CIRCLE],
      ['tokens of directives', `{ __typename ${'@skip(if: false) '.repeat(LIMITS.tokens)} }`],
    ])('for its %s', async (_name, query) => {
      const headers = browser.headers({ 'content-type': 'application/json', ...accept });
      const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
      const response = await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, init));
      const { data, errors } = await response.json();
      expect([response.status, data]).toEqual([400, undefined]);
      expect(errors).toMatchObject([{ extensions: { code: 'TOO_COSTLY' } }]);
      expect(JSON.stringify(errors)).not.toContain('"http"');
      expect(queryCount).toBe(0);
    });
  });

  test('as a batch is refused, and nothing is read', async () => {
    expect(await ask([{ query: `{ ${volume()} }` }, { query: `{ ${volume()} }` }])).toContain('errors');
    expect(queryCount).toBe(0);
  });
});

/** Every plain field of a payment. */
function paymentFields(): string {
  const names = [
    'id',
    'amount',
    'currency',
    'status',
    'createdAt',
    'updatedAt',
    'expiresAt',
    'merchantOrderId',
    'merchantId',
    'mode',
  ];
  const more = [
    'late',
    'fee',
    'paidAt',
    'paidMethod',
    'paymentMethod',
    'received',
    'receivedCurrency',
    'refunded',
    'reviewReason',
  ];
  const last = ['ruleId', 'underReview', 'gateway', 'gatewayReference', 'metadata'];
  return [...names, ...more, ...last, 'customer { email id phone country }', 'account { id gateway label }'].join(' ');
}

test('a query within the limits is answered with its cost', async () => {
  const answer = JSON.parse(await ask({ query: `{ ${volume()} }` }));
  expect(answer.data.volume.total).toEqual({ payments: 0 });
  expect(queryCount).toBe(1);
  expect(answer.extensions.cost).toEqual({ spent: expect.any(Number), limit: LIMITS.cost });
  expect(answer.extensions.cost.spent).toBeGreaterThan(0);
});

test('the cost is that of the selected operation', async () => {
  const query = `query Cheap { __typename } query Dear { ${volume()} ...More } fragment More on Query { again: ${volume()} }`;
  const costOf = async (body: object) => JSON.parse(await ask(body)).extensions.cost.spent;
  const alone = await costOf({ query: `{ ${volume()} again: ${volume()} }` });
  expect(await costOf({ query, operationName: 'Dear' })).toBe(alone);
  expect(await costOf({ query, operationName: 'Cheap' })).toBeLessThan(alone / 2);
});

test.each(['mutation { x }', 'subscription { x }'])('%s is reported as bad input', async (query) => {
  const { data, errors } = JSON.parse(await ask({ query }));
  expect(data ?? null).toBeNull();
  expect(errors[0].message).toMatch(/mutation|subscription/i);
  expect(errors[0].extensions?.code).not.toBe('INTERNAL');
});

/** Locks every table of roll-ups until the work is done. */
async function whileTablesAreLocked(work: (running: () => Promise<number>) => Promise<void>): Promise<void> {
  const { database } = switchyard.resources;
  const locker = await database.pool.connect();
  try {
    await locker.query('BEGIN');
    await locker.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await locker.query('LOCK TABLE payment, payment_rollup, payment_rollup_change IN ACCESS EXCLUSIVE MODE');
    await work(() => countActiveReportQueries(switchyard));
  } finally {
    await locker.query('ROLLBACK');
    locker.release();
  }
}

test.each([
  ['web', (body: string, signal: AbortSignal) => send(body, signal)],
  ['node', overHttp],
] as const)('a question given up is cancelled in the database, by the mount called %s', (_, ask) =>
  whileTablesAreLocked(async (running) => {
    const stop = new AbortController();
    const answer = ask(JSON.stringify({ query: `{ ${volume()} }` }), stop.signal).catch(() => 'given up');
    await expect.poll(running).toBe(1);
    stop.abort();
    // Before the timeout would end it.
    await expect.poll(running, { timeout: LIMITS.timeoutMs / 2 }).toBe(0);
    expect(await answer).not.toContain('"total"');
  }),
);

test('a query that takes too long ends with an error, and so do its database queries', () =>
  whileTablesAreLocked(async (running) => {
    const answer = ask({ query: `{ ${volume()} }` }).catch(() => 'given up');
    await expect.poll(running).toBe(1);
    expect(await answer).not.toContain('"total"');
    await expect.poll(running).toBe(0);
  }));

test('a directive stands once at a place, so that the tokens limit directives too', async () => {
  expect(await ask({ query: '{ __typename @skip(if: false) @skip(if: false) }' })).toContain('can only be used once');
});

describe('depth', () => {
  test('is finite: no type refers back to itself, and the longest path through the schema is within the limit', () => {
    const longest = longestPath(schema.getQueryType(), []);
    expect(longest.length).toBeGreaterThan(4);
    expect(longest.length).toBeLessThanOrEqual(LIMITS.depth);
  });

  test('cannot be exceeded by circular introspection', async () => {
    expect(await ask({ query: CIRCLE })).toMatch(/introspection depth/i);
  });
});

/** The longest chain of fields below a type; throws when one refers back to a type above it. */
function longestPath(type: unknown, above: readonly string[]): readonly string[] {
  if (isUnionType(type)) return longestOf(type.getTypes().map((member) => longestPath(member, above)));
  if (!isObjectType(type)) return [];
  if (above.includes(type.name)) throw new Error(`${type.name} leads back to itself: ${above.join(' > ')}`);
  const inside = [...above, type.name];
  return longestOf(
    Object.values(type.getFields()).map((field) => [field.name, ...longestPath(getNamedType(field.type), inside)]),
  );
}

function longestOf(paths: readonly (readonly string[])[]): readonly string[] {
  return paths.reduce((longest, path) => (path.length > longest.length ? path : longest), []);
}
