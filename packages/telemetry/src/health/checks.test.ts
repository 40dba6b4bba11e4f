import { openDatabase } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { processChecks } from './checks.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const check = () => {
  const configuration = { ready: async () => undefined };
  const secrets = { check: async () => undefined, state: () => ({ wrong: [], unreadableAccounts: 0 }) };
  return processChecks({ database, configuration, secrets }).cluster?.();
};

test('a process takes work on one server, and on a cluster of which no server keeps plans', async () => {
  expect(await check()).toBe('ok');
});

test.runIf(inject('nodeDatabaseUrls').length > 0)(
  'a process takes no work on a cluster of which a server keeps plans',
  async () => {
    const node = Object.assign(new URL(inject('nodeDatabaseUrls')[0] ?? ''), { pathname: new URL(database.url).pathname });
    const { pool, close } = openDatabase({ url: node.href, maxConnections: 1 });
    const name = node.pathname.slice(1);
    await pool.query(`ALTER DATABASE ${name} SET plan_cache_mode TO auto`);
    expect(await check()).toBe('memory_leaks');
    await pool.query(`ALTER DATABASE ${name} RESET plan_cache_mode`);
    expect(await check()).toBe('ok');
    await close();
  },
);
