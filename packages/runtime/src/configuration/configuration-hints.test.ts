import { type Database, newId } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { raiseConfigurationRevision } from './change-configuration.ts';
import { type Configuration, type ConfigurationOptions, openConfiguration } from './configuration.ts';

const NEVER_MS = 3_600_000;

let writer: TestDatabase;
let database: Database;
let errors: unknown[];
let open: Configuration[];
let merchantId: string;

beforeAll(async () => {
  writer = await createTestDatabase();
});
afterAll(async () => writer.close());
beforeEach(async () => {
  database = openDatabase({ url: writer.url, maxConnections: 2 });
  errors = [];
  open = [];
  merchantId = newId();
  const now = new Date();
  const data = { id: merchantId, merchantNumber: merchantId, name: 'before', createdAt: now, updatedAt: now };
  await writer.prisma.merchant.create({ data });
  await writer.prisma.configurationRevision.create({ data: { merchantId, revision: 1 } });
});
afterEach(async () => {
  for (const configuration of open) configuration.close();
  await allowConnections(true);
  await database.close();
});

/** A configuration as in another process: on a pool of its own. */
async function anotherProcess(options: Partial<ConfigurationOptions>): Promise<Configuration> {
  const configuration = openConfiguration(database, { onError: (error) => errors.push(error), ...options });
  open.push(configuration);
  await configuration.refresh();
  return configuration;
}

async function rename(name: string): Promise<void> {
  await writer.prisma.$transaction(async (transaction) => {
    await transaction.merchant.update({ where: { id: merchantId }, data: { name } });
    await raiseConfigurationRevision(transaction, merchantId);
  });
}

const nameIn = (configuration: Configuration) => configuration.merchant(merchantId)?.merchant.name;

async function listeners(): Promise<number[]> {
  const { rows } = await writer.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'switchyard-listen'
      AND query LIKE 'LISTEN%' AND state = 'idle'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Ends the connections that listen. Returns once the server has let them go. */
async function cutListeners(): Promise<void> {
  await expect.poll(listeners).not.toEqual([]);
  const cut = await listeners();
  await writer.pool.query('SELECT pg_terminate_backend(pid, 5000) FROM unnest($1::int[]) AS pid', [cut]);
  await expect.poll(async () => (await listeners()).filter((pid) => cut.includes(pid))).toEqual([]);
}

/** Accepts or refuses new connections; open ones are unaffected. */
async function allowConnections(allow: boolean): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('adminDatabaseUrl') });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${new URL(writer.url).pathname.slice(1)} ALLOW_CONNECTIONS ${allow}`);
  await admin.end();
}

describe('a change made by one process', () => {
  test('reaches another that never polls, because the database notifies it', async () => {
    const configuration = await anotherProcess({ pollMs: NEVER_MS });
    await expect.poll(async () => (await listeners()).length).toBe(1);
    await rename('after');
    await expect.poll(() => nameIn(configuration)).toBe('after');
    expect(errors).toEqual([]);
  });

  test('reaches a process whose listening connection was cut and restored, also when made in between', async () => {
    const configuration = await anotherProcess({ pollMs: NEVER_MS });
    await cutListeners();
    await rename('in between');
    await expect.poll(() => nameIn(configuration)).toBe('in between');
    await expect.poll(async () => (await listeners()).length).toBe(1);
    await rename('after');
    await expect.poll(() => nameIn(configuration)).toBe('after');
    expect(errors).toHaveLength(1);
  });

  test('reaches a process that can no longer listen, by polling', async () => {
    const configuration = await anotherProcess({ pollMs: 200 });
    await expect.poll(async () => (await listeners()).length).toBe(1);
    await allowConnections(false);
    await cutListeners();
    await rename('after');
    await expect.poll(() => nameIn(configuration)).toBe('after');
    expect(await listeners()).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  test('reaches a process that does not listen, by polling', async () => {
    const configuration = await anotherProcess({ pollMs: 200, hints: 'none' });
    expect(await listeners()).toEqual([]);
    await rename('after');
    await expect.poll(() => nameIn(configuration)).toBe('after');
  });
});

test('hints that name no merchant change nothing', async () => {
  const configuration = await anotherProcess({ pollMs: NEVER_MS });
  await expect.poll(async () => (await listeners()).length).toBe(1);
  await writer.pool.query(`SELECT pg_notify('configuration', $1)`, [`'; DROP TABLE merchant; --`]);
  await writer.pool.query(`SELECT pg_notify('configuration', $1)`, [newId()]);
  await rename('after');
  await expect.poll(() => nameIn(configuration)).toBe('after');
  expect(errors).toEqual([]);
});

test('many changes at once end with the last one everywhere', async () => {
  const configurations = await Promise.all([
    anotherProcess({ pollMs: NEVER_MS }),
    anotherProcess({ pollMs: NEVER_MS }),
    anotherProcess({ pollMs: 200, hints: 'none' }),
  ]);
  await expect.poll(async () => (await listeners()).length).toBe(2);
  for (let step = 1; step <= 20; step++) await rename(`step ${step}`);
  for (const configuration of configurations) {
    await expect.poll(() => nameIn(configuration)).toBe('step 20');
  }
});

test('a configuration that is closed listens no more', async () => {
  const configuration = await anotherProcess({ pollMs: NEVER_MS });
  await expect.poll(async () => (await listeners()).length).toBe(1);
  configuration.close();
  await expect.poll(async () => (await listeners()).length).toBe(0);
  expect(errors).toEqual([]);
});
