import { newId } from '@switchyard/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope, failures } from '../rest/envelope.ts';
import { createTestMerchant, openTestDashboard, sessionOf, type TestDashboard } from '../testing/dashboard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

let dashboard: TestDashboard;
let merchantId: string;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  ({ merchantId } = await createTestMerchant(dashboard));
});
afterAll(() => dashboard.close());

const requests = () =>
  createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf('operator', merchantId) }).requests;

async function keep(responseBody: string): Promise<string> {
  const id = newId();
  const ids = { merchantId, id, keyId: newId(), requestId: newId() };
  const answered = { method: 'POST', path: '/v1/payments/initiate', status: 400, durationMs: 2, endedAt: new Date() };
  await dashboard.database.prisma.apiRequest.create({ data: { ...ids, mode: 'test', ...answered, responseBody } });
  return id;
}

test('a refused request has the codes of its errors, field by field', async () => {
  const refused = failures.badRequest([{ field: 'amount', code: 'too_small', rule: 'must be at least 1' }]);
  const apiRequestId = await keep(envelope(refused).body);
  const { error, keyName, merchantName } = await requests().byId({ apiRequestId });
  expect(error).toEqual({ code: 'bad_request', fields: [{ field: 'amount', code: 'too_small' }] });
  expect(keyName).toBeNull();
  expect(merchantName).toEqual(expect.any(String));
});

test.each(['{"status":false,"message":"Transaction reference not found"}', '{"success":false,"code":"bad_re', ''])(
  'an answer without codes of ours, %s, has none',
  async (responseBody) => {
    expect(await requests().byId({ apiRequestId: await keep(responseBody) })).toMatchObject({ error: null, responseBody });
  },
);

test('a request is listed without its bodies', async () => {
  const apiRequestId = await keep('{}');
  const { items } = await requests().list({ mode: 'test', limit: 1 });
  expect(items).toMatchObject([{ apiRequestId, merchantId, status: 400 }]);
  expect(items[0]).not.toHaveProperty('responseBody');
});
