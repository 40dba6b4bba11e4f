import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Configuration, openConfiguration, readRevision } from './configuration.ts';

let database: TestDatabase;
let configuration: Configuration;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.close());
beforeEach(() => {
  // Polls too rarely to affect the tests.
  configuration = openConfiguration(database, { onError: () => undefined, pollMs: 3_600_000, hints: 'none' });
});
afterEach(() => configuration.close());

async function addMerchant(): Promise<string> {
  const id = newId();
  const now = new Date();
  const data = { id, merchantNumber: id, name: 'Balogun Books', createdAt: now, updatedAt: now };
  await database.prisma.merchant.create({ data });
  await database.prisma.configurationRevision.create({ data: { merchantId: id, revision: 1 } });
  return id;
}

type Client = Pick<TestDatabase['prisma'], 'apiKey' | 'configurationRevision'>;

/** As another process would, which does not notify this one. */
async function addKey(merchantId: string, key: { expiresAt?: Date } = {}, client: Client = database.prisma): Promise<string> {
  const id = newId();
  const now = new Date();
  const data = {
    merchantId,
    id,
    mode: 'test',
    publicId: id,
    secretHash: new Uint8Array(32),
    name: 'x',
    lastFour: 'xxxx',
    ...key,
  } as const;
  await client.apiKey.create({ data: { ...data, createdAt: now, createdBy: 'system:test' } });
  await client.configurationRevision.update({ where: { merchantId }, data: { revision: { increment: 1 } } });
  return id;
}

test('the list of all merchants is the same array until one is created or changed', async () => {
  const merchantId = await addMerchant();
  await configuration.refresh();
  const before = configuration.merchants();
  await configuration.refresh();
  expect(configuration.merchants()).toBe(before);
  await addMerchant();
  await configuration.refresh();
  const grown = configuration.merchants();
  expect(grown.length).toBe(before.length + 1);
  await addKey(merchantId);
  await configuration.refresh();
  expect(configuration.merchants()).not.toBe(grown);
  expect(configuration.merchants().find(({ merchant }) => merchant.id === merchantId)?.keys).toHaveLength(1);
});

test('each of many merchants has what is its own', async () => {
  const merchantIds: string[] = [];
  for (let n = 0; n < 60; n++) merchantIds.push(await addMerchant());
  const keys = await Promise.all(merchantIds.map(async (merchantId) => addKey(merchantId)));
  await configuration.refresh();
  expect(merchantIds.map((id) => configuration.merchant(id)?.keys.map(({ publicId }) => publicId))).toEqual(
    keys.map((key) => [key]),
  );
  expect(merchantIds.map((id) => configuration.merchant(id)?.revision)).toEqual(merchantIds.map(() => 2));
});

test('a change is served at once where it was made, without the changes of others', async () => {
  const [merchantId, other] = [await addMerchant(), await addMerchant()];
  await configuration.refresh();
  await addKey(merchantId);
  await addKey(other);
  await readRevision(configuration, merchantId, 2);
  expect(configuration.merchant(merchantId)?.keys).toHaveLength(1);
  expect(configuration.merchant(other)?.keys).toEqual([]);
  await configuration.refresh();
  expect(configuration.merchant(other)?.keys).toHaveLength(1);
});

describe('a key made elsewhere a moment ago', () => {
  test('is found by all concurrent callers', async () => {
    const merchantId = await addMerchant();
    await configuration.refresh();
    const publicId = await addKey(merchantId);
    const found = await Promise.all(Array.from({ length: 20 }, () => configuration.findKey(publicId)));
    expect(found.map((entry) => entry?.merchant.merchant.id)).toEqual(Array(20).fill(merchantId));
  });

  test('is found even while an earlier read is in progress', async () => {
    const merchantId = await addMerchant();
    await configuration.refresh();
    await addMerchant();
    let asked: ReturnType<Configuration['findKey']> = Promise.resolve(undefined);
    await database.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE merchant IN ACCESS EXCLUSIVE MODE`;
      void configuration.refresh();
      await untilWaiting();
      asked = configuration.findKey(await addKey(merchantId, {}, transaction));
    });
    expect((await asked)?.key.merchantId).toBe(merchantId);
  });
});

test('an unknown key is not looked up again for a moment', async () => {
  const merchantId = await addMerchant();
  const publicId = newId();
  expect(await configuration.findKey(publicId)).toBeUndefined();
  const known = await addKey(merchantId);
  expect(await configuration.findKey(publicId)).toBeUndefined();
  expect(configuration.merchant(merchantId)?.keys).toEqual([]);
  expect(await configuration.findKey(known)).toBeDefined();
});

test('expired keys are not read into the snapshot', async () => {
  const merchantId = await addMerchant();
  await addKey(merchantId, { expiresAt: new Date(Date.now() - 1) });
  const usable = await addKey(merchantId, { expiresAt: new Date(Date.now() + 3_600_000) });
  await configuration.refresh();
  expect(configuration.merchant(merchantId)?.keys.map(({ publicId }) => publicId)).toEqual([usable]);
});

async function untilWaiting(): Promise<void> {
  const waiting = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1';
  while ((await database.pool.query(waiting, ['Lock'])).rows.length === 0);
}
