import { newId } from '@switchyard/db';
import type { ApiRequest } from '@switchyard/db/client';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testMerchant } from '../testing/accounts.ts';
import { eraseRequestsOf, readRequestsOf } from './customers.ts';

const CUSTOMER = 'Cust/Canary 7';

let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
});

async function keep(more: Partial<ApiRequest> = {}): Promise<string> {
  const id = newId();
  const ids = { merchantId, id, keyId: newId(), requestId: newId() };
  const answered = { method: 'GET', path: '/v1/payments', status: 400, durationMs: 5, endedAt: new Date() };
  await context.database.prisma.apiRequest.create({ data: { mode: 'test', ...answered, ...ids, ...more } });
  return id;
}

/** Fills more than two statements' worth with requests of other customers. */
async function keepMany(): Promise<void> {
  await context.database.pool.query(
    `INSERT INTO api_request (merchant_id, mode, id, key_id, request_id, method, path, status, duration_ms, ended_at, request_body)
     SELECT $1, 'test', ($2 || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $3, $3, 'GET', '/v1/payments', 400, 1, now(), '{"amount":0}'
     FROM generate_series(1, 4500) AS n`,
    [merchantId, newId().slice(0, 13), newId()],
  );
}

const rowOf = (id: string) => context.database.prisma.apiRequest.findFirstOrThrow({ where: { merchantId, id } });

test('a customer is erased from bodies and paths in any case and encoded, of either mode and any status', async () => {
  const paymentId = newId();
  await keepMany();
  const body = '{"merchantOrderId":"for cust/canary 7"}';
  const ofPayment = await keep({ paymentId, responseBody: '{}' });
  const inRequest = await keep({ requestBody: body });
  const inResponse = await keep({ mode: 'live', responseBody: body });
  const inPath = await keep({ status: 200, path: '/v1/payments/cust%2fcanary%207/verify' });
  const unanswered = await keep({ status: null, path: `/v1/${CUSTOMER}`, mode: 'live' });
  const other = await keep({ requestBody: '{"amount":0}', path: '/v1/payments/Cust' });
  const ofOther = await testMerchant(context);
  await keep({ merchantId: ofOther, requestBody: body });
  expect(await eraseRequestsOf(context.database, { merchantId, paymentIds: [paymentId], texts: [CUSTOMER] })).toBe(5);
  for (const id of [ofPayment, inRequest, inResponse]) {
    expect(await rowOf(id)).toMatchObject({ path: '/v1/payments', requestBody: null, responseBody: null });
  }
  expect((await rowOf(inPath)).path).toBe('/v1/payments/[redacted]/verify');
  expect((await rowOf(unanswered)).path).toBe('/v1/[redacted]');
  expect(await rowOf(other)).toMatchObject({ path: '/v1/payments/Cust', requestBody: '{"amount":0}' });
  expect(await context.database.prisma.apiRequest.count({ where: { merchantId, requestBody: '{"amount":0}' } })).toBe(4_501);
  expect(await context.database.prisma.apiRequest.count({ where: { merchantId: ofOther, requestBody: body } })).toBe(1);
  expect(await eraseRequestsOf(context.database, { merchantId, paymentIds: [paymentId], texts: [CUSTOMER] })).toBe(0);
});

test('requests about payments are read with their bodies, oldest first, of one mode and merchant', async () => {
  const paymentId = newId();
  await keepMany();
  const first = await keep({ paymentId, requestBody: '{"amount":0}' });
  const second = await keep({ paymentId, status: 200 });
  await keep({ paymentId, mode: 'live' });
  await keep({ paymentId, merchantId: await testMerchant(context) });
  await keep({ paymentId: newId() });
  const read = await readRequestsOf(context.database, { merchantId, mode: 'test', paymentIds: [paymentId], texts: [] });
  expect(read.map(({ id }) => id)).toEqual([first, second]);
  expect(read[0]).toMatchObject({ requestBody: '{"amount":0}', paymentId });
});
