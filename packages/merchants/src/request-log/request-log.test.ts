import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testMerchant } from '../testing/index.ts';
import { type FinishedRequest, openRequestLog, type RequestFate } from './request-log.ts';

let context: TestContext;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

function openCounted(database = context.database) {
  const counts: Record<RequestFate, number> = { written: 0, full: 0, failed: 0 };
  const log = openRequestLog(database, (fate, requests) => {
    counts[fate] += requests;
  });
  return { counts, log };
}

function requestOf(merchantId: string, more: Partial<FinishedRequest> = {}): FinishedRequest {
  const ids = { merchantId, keyId: context.newId(), requestId: context.newId(), paymentId: null };
  const answered = { method: 'POST', path: '/v1/payments/initiate', status: 200, durationMs: 12, refused: null };
  return { ...ids, mode: 'test', ...answered, ...more };
}

test('requests of several merchants are written as they ended, with the bodies of refused ones redacted', async () => {
  const [one, other] = [await testMerchant(context), await testMerchant(context)];
  const { log, counts } = openCounted();
  const request = Buffer.from('{"amount":0,"customer":{"email":"ada@example.com"}}');
  const refused = requestOf(one, { status: 400, refused: { request, response: '{"code":"bad_request"}' } });
  log.record(requestOf(one, { mode: 'live', paymentId: context.newId() }));
  log.record(refused);
  log.record(requestOf(other, { status: null }));
  await log.flush();
  expect(counts).toEqual({ written: 3, full: 0, failed: 0 });
  const rows = await context.database.prisma.apiRequest.findMany({ where: { merchantId: one }, orderBy: { id: 'asc' } });
  expect(rows).toMatchObject([
    { mode: 'live', status: 200, requestBody: null, responseBody: null, paymentId: expect.any(String) },
    { mode: 'test', requestId: refused.requestId, keyId: refused.keyId, status: 400, durationMs: 12 },
  ]);
  expect(rows[1]).toMatchObject({
    requestBody: '{"amount":0,"customer":{"email":"[redacted]"}}',
    responseBody: '{"code":"bad_request"}',
  });
  expect(await context.database.prisma.apiRequest.findMany({ where: { merchantId: other } })).toMatchObject([{ status: null }]);
});

test('what a process cannot write in time is dropped and counted, and the rest is one statement', async () => {
  const merchantId = await testMerchant(context);
  const statements: unknown[] = [];
  const { batches } = context.database;
  const query = (...asked: Parameters<typeof batches.query>) => {
    statements.push(asked[0]);
    return Reflect.apply(batches.query, batches, asked);
  };
  const { log, counts } = openCounted({ ...context.database, batches: Object.create(batches, { query: { value: query } }) });
  for (let request = 0; request < 1_200; request++) log.record(requestOf(merchantId));
  await log.flush();
  expect(counts).toEqual({ written: 1_000, full: 200, failed: 0 });
  expect(statements).toHaveLength(1);
  expect(await context.database.prisma.apiRequest.count({ where: { merchantId } })).toBe(1_000);
});

test('of a flood of refused requests a hundred keep their bodies', async () => {
  const merchantId = await testMerchant(context);
  const { log } = openCounted();
  const refused = { request: Buffer.from('{"amount":0}'), response: '{}' };
  for (let request = 0; request < 120; request++) log.record(requestOf(merchantId, { status: 400, refused }));
  await log.flush();
  log.record(requestOf(merchantId, { status: 400, refused }));
  await log.flush();
  const where = { merchantId, status: 400 };
  expect(await context.database.prisma.apiRequest.count({ where })).toBe(121);
  expect(await context.database.prisma.apiRequest.count({ where: { ...where, requestBody: null } })).toBe(20);
});

test('a database that takes none costs these requests and no later ones', async () => {
  const merchantId = await testMerchant(context);
  let isAway = true;
  const { batches } = context.database;
  function query(...asked: Parameters<typeof batches.query>) {
    return isAway ? Promise.reject(new Error('away')) : Reflect.apply(batches.query, batches, asked);
  }
  const { log, counts } = openCounted({ ...context.database, batches: Object.create(batches, { query: { value: query } }) });
  log.record(requestOf(merchantId));
  await log.flush();
  isAway = false;
  log.record(requestOf(merchantId));
  await log.flush();
  expect(counts).toEqual({ written: 1, full: 0, failed: 1 });
  expect(await context.database.prisma.apiRequest.count({ where: { merchantId } })).toBe(1);
});

test('closing the database writes what still waits', async () => {
  const closing = await openTestContext();
  const finishers: (() => Promise<void>)[] = [];
  const { log, counts } = openCounted({ ...closing.database, beforeClose: (finish) => void finishers.push(finish) });
  log.record(requestOf(closing.newId()));
  for (const finish of finishers) await finish();
  expect(counts.written).toBe(1);
  expect(await closing.database.prisma.apiRequest.count()).toBe(1);
  await closing.close();
});
