import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { createTestMerchant, openTestSwitchyard } from '../testing/switchyard.ts';
import type { CallWithBody } from './endpoint.ts';
import { type Answer, failures, succeed } from './envelope.ts';
import { type IdempotentRun, type IdOf, idOfRequest, onceByIdempotencyKey } from './idempotency.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let merchantId: string;
beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
});
afterAll(() => close());

/** A request under a key; each of these answers it once, and the ids that they ran with are kept. */
function under(key: string, ...answers: readonly Answer[]) {
  return underIds(key, null, answers);
}

function underIds(key: string, from: IdOf, answers: readonly Answer[]) {
  const left = [...answers];
  const ids: string[] = [];
  const work = async ({ resourceId }: IdempotentRun): Promise<Answer> => {
    ids.push(resourceId);
    return left.shift() ?? expect.unreachable('it has run too often');
  };
  const ask = async (path = '/v1/payments/initiate') => {
    const answer = await onceByIdempotencyKey(switchyard, callOf(path, key), from, work);
    return answer.kind === 'written' ? answer.statusCode : answer.kind === 'failure' ? answer.statusCode : 200;
  };
  return { ask, ids };
}

function callOf(path: string, key: string): CallWithBody<object> {
  const configuration = switchyard.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('there is no such merchant');
  const body = { kind: 'bytes', bytes: new Uint8Array() } as const;
  return {
    caller: { configuration, mode: 'test' },
    key: { id: '', publicId: '' },
    params: {},
    request: { method: 'POST', path, query: '', headers: { 'idempotency-key': key }, body },
    timings: { add: () => undefined },
    responseHeaders: {},
    body: {},
    json: {},
  };
}

const newKey = () => switchyard.payments.newId();

test('a request is run once, and answered again as it was', async () => {
  const { ask, ids } = under(newKey(), succeed('Refund requested', {}));
  expect([await ask(), await ask()]).toEqual([200, 200]);
  expect(ids).toHaveLength(1);
});

test('an answer that asks to come back is not kept: the request runs again under the same id', async () => {
  const { ask, ids } = under(newKey(), failures.unavailable(), failures.tooManyRequests(1), succeed('Refund requested', {}));
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([503, 429, 200, 200]);
  expect(ids).toEqual([ids[0], ids[0], ids[0]]);
});

test('a refusal that another try would not change is kept', async () => {
  const { ask, ids } = under(newKey(), failures.paymentNotFound());
  expect([await ask(), await ask()]).toEqual([404, 404]);
  expect(ids).toHaveLength(1);
});

test('the same body at another address is another request', async () => {
  const { ask } = under(newKey(), succeed('Refund requested', {}));
  expect(await ask('/v1/payments/1/refunds')).toBe(200);
  expect(await ask('/v1/payments/2/refunds')).toBe(422);
});

test('a request that fails is run again', async () => {
  const key = newKey();
  const failing = () => Promise.reject(new Error('the disk is full'));
  await expect(onceByIdempotencyKey(switchyard, callOf('/v1/payments/initiate', key), null, failing)).rejects.toThrow('full');
  const { ask, ids } = under(key, succeed('Payment initiated', {}));
  expect(await ask()).toBe(200);
  expect(ids).toHaveLength(1);
});

test('a request whose key is lost runs again under the id that it had, and another one under another', async () => {
  const done = succeed('Refund requested', {});
  const { database } = switchyard.resources;
  const first = underIds('refund-1', idOfRequest, [done, done, done]);
  await first.ask('/v1/payments/1/refunds');
  await database.prisma.idempotencyRecord.deleteMany({ where: { merchantId } });
  await first.ask('/v1/payments/1/refunds');
  await database.prisma.idempotencyRecord.deleteMany({ where: { merchantId } });
  await first.ask('/v1/payments/2/refunds');
  const other = underIds('refund-2', idOfRequest, [done]);
  await other.ask('/v1/payments/1/refunds');
  expect(first.ids[1]).toBe(first.ids[0]);
  expect(new Set([...first.ids, ...other.ids]).size).toBe(3);
});
