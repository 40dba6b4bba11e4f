import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testMerchant } from '../testing/accounts.ts';
import { authenticate, createKeyUseRecorder, flushKeyUse } from './api-keys.ts';
import { issueKey } from './console.ts';
import { listKeys } from './rotate-key.ts';

const start = new Date('2100-01-10T12:00:00.000Z');
const days = (count: number) => new Date(start.getTime() + count * 86_400_000);

let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
  context.setClock(start);
  merchantId = await testMerchant(context);
});
afterAll(() => context.close());

async function issue(): Promise<{ id: string; secretKey: string }> {
  const outcome = await issueKey(context, {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'staff:ada',
  });
  if (outcome.kind !== 'issued') throw new Error(outcome.kind);
  return { id: outcome.key.id, secretKey: outcome.secretKey };
}

test('every request a key lets in is counted, by the key, and forgotten after a week', async () => {
  const used = await issue();
  const unused = await issue();
  const row = async (id: string) => (await listKeys(context, { merchantId })).find((key) => key.id === id);
  for (let request = 0; request < 3; request++) await authenticate(context, `Bearer ${used.secretKey}`);
  await authenticate(context, `Bearer ${used.secretKey.slice(0, -1)}${used.secretKey.endsWith('x') ? 'y' : 'x'}`);
  await flushKeyUse(context);
  await flushKeyUse(context);
  expect(await row(used.id)).toMatchObject({ requestsInWeek: 3, lastUsedAt: start });
  expect(await row(unused.id)).toMatchObject({ requestsInWeek: 0, lastUsedAt: null });
  context.setClock(days(6));
  await authenticate(context, `Bearer ${used.secretKey}`);
  await flushKeyUse(context);
  expect(await row(used.id)).toMatchObject({ requestsInWeek: 4, lastUsedAt: days(6) });
  context.setClock(days(7));
  expect(await row(used.id)).toMatchObject({ requestsInWeek: 1 });
});

test('uses that could not be written are counted once the database is available', async () => {
  const { id } = await issue();
  let isAway = true;
  const { batches } = context.database;
  const unavailable = { ...context.database, batches: Object.create(batches, { query: { value: query } }) };
  function query(...asked: Parameters<typeof batches.query>) {
    return isAway ? Promise.reject(new Error('away')) : Reflect.apply(batches.query, batches, asked);
  }
  const recorder = createKeyUseRecorder(unavailable);
  recorder.record({ merchantId, keyId: id, usedAt: days(7), requests: 1 });
  await expect(recorder.flush()).rejects.toThrow('away');
  recorder.record({ merchantId, keyId: id, usedAt: days(6), requests: 1 });
  isAway = false;
  await recorder.flush();
  const row = (await listKeys(context, { merchantId })).find((key) => key.id === id);
  expect(row).toMatchObject({ requestsInWeek: 2, lastUsedAt: days(7) });
});
