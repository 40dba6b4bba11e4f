import { firstIdAt, newId, timeOfId } from '@switchyard/db';
import type { ApiRequest } from '@switchyard/db/client';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { issueKey } from '../api-keys/console.ts';
import { testMerchant } from '../testing/accounts.ts';
import { type ApiRequestFilter, findApiRequest, listApiRequests } from './list-requests.ts';

let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
});

/** Keeps a request. Returns its id; later ones have greater ids. */
async function keep(more: Partial<ApiRequest> = {}): Promise<string> {
  const id = more.id ?? newId();
  const ids = { merchantId, id, keyId: newId(), requestId: newId() };
  const answered = { method: 'GET', path: '/v1/payments', status: 200, durationMs: 5, endedAt: new Date() };
  await context.database.prisma.apiRequest.create({ data: { mode: 'test', ...answered, ...more, ...ids, ...more } });
  return id;
}

async function list(filter: Partial<ApiRequestFilter> = {}, page = { after: null as string | null, limit: 50 }) {
  const any = { mode: 'test', outcomes: [], methods: [], keyIds: [], path: null, requestId: null, paymentId: null } as const;
  const query = { merchantIds: [merchantId], ...any, endedFrom: null, endedTo: null, ...filter, ...page };
  return listApiRequests(context, query);
}
const idsOf = async (filter: Partial<ApiRequestFilter>) => (await list(filter)).items.map(({ id }) => id);

test('days before and after any id bound the list, and a payment with an id of no time has none', async () => {
  const id = await keep();
  const [first, last] = [new Date('1900-01-01'), new Date(8.64e15)];
  expect(await idsOf({ endedFrom: first, endedTo: last })).toEqual([id]);
  expect(await idsOf({ endedTo: first })).toEqual([]);
  expect(await idsOf({ endedFrom: last })).toEqual([]);
  expect(await idsOf({ paymentId: 'ffffffff-ffff-4fff-bfff-ffffffffffff' })).toEqual([]);
});

test('filters without an index look through the newest requests, and reach others by errors, days, payment and request id', async () => {
  const paymentId = newId();
  const requestId = newId();
  // Ids of a process only increase: after suites with a clock that was ahead they lie in the future.
  const keptAt = timeOfId(newId());
  const old = await keep({ method: 'POST', status: 404, paymentId, requestId });
  await context.database.pool.query(
    `INSERT INTO api_request (merchant_id, mode, id, key_id, request_id, method, path, status, duration_ms, ended_at)
     SELECT $1, 'test', ($2 || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $3, $3, 'GET', '/v1/payments', 200, 1, now()
     FROM generate_series(1, 5000) AS n`,
    [merchantId, firstIdAt(keptAt + 60_000).slice(0, 13), newId()],
  );
  expect(await list({ methods: ['POST'] })).toEqual({ items: [], next: null, searched: 5_000 });
  const reached = [
    { outcomes: ['refused'] as const },
    { outcomes: ['refused', 'failed'] as const, methods: ['POST'] },
    { endedTo: new Date(keptAt + 30_000), methods: ['POST'] },
    { paymentId, methods: ['POST'] },
    { requestId, path: '/v1' },
  ];
  for (const filter of reached) expect(await idsOf(filter)).toEqual([old]);
  expect((await list({ outcomes: ['refused'] })).searched).toBeNull();
  const failed = await keep({ status: 503 });
  expect(await list({ outcomes: ['failed'] })).toMatchObject({ items: [{ id: failed }], searched: 5_000 });
  expect(await idsOf({ outcomes: ['failed', 'refused'], methods: ['POST', 'GET'] })).toEqual([failed, old]);
  expect((await list({ merchantIds: [], methods: ['POST'] })).items).toEqual([]);
  const first = await list({ methods: ['GET'] }, { after: null, limit: 3_000 });
  const second = await list({ methods: ['GET'] }, { after: first.next, limit: 3_000 });
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(5_000);
  expect(second.next).toBeNull();
});

test('one request has its bodies and the name of its key, for those who may see its merchant', async () => {
  const issued = await issueKey(context, {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'system:test',
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  const id = await keep({ status: 400, keyId: issued.key.id, requestBody: '{"amount":0}', responseBody: '{}' });
  expect(await findApiRequest(context, { merchantIds: [merchantId], id })).toMatchObject({
    id,
    keyName: 'server',
    requestBody: '{"amount":0}',
  });
  expect(await findApiRequest(context, { merchantIds: [await testMerchant(context)], id })).toBeNull();
  expect((await list()).items[0]).not.toHaveProperty('requestBody');
});
