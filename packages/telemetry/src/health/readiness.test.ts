import { openDatabase } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createReadiness, processChecks } from './readiness.ts';

test('a process is ready while every check is ok', async () => {
  const readiness = createReadiness('web', { database: async () => 'ok', migrations: async () => 'ok' });
  expect(await readiness.report()).toEqual({
    status: 'ready',
    process: 'web',
    draining: false,
    checks: { database: 'ok', migrations: 'ok' },
  });
});

test('a failed check names itself and says nothing of the error', async () => {
  const readiness = createReadiness('web', {
    database: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
    migrations: async () => 'pending',
  });
  const report = await readiness.report();
  expect(report).toMatchObject({ status: 'not_ready', checks: { database: 'unavailable', migrations: 'pending' } });
  expect(JSON.stringify(report)).not.toContain('10.0.0.7');
});

test('a draining process is not ready, at once', async () => {
  const readiness = createReadiness('worker', { database: async () => 'ok' });
  await readiness.report();
  readiness.drain();
  expect(await readiness.report()).toMatchObject({ status: 'not_ready', draining: true, checks: { database: 'ok' } });
});

test('requests close together share one check', async () => {
  let now = 0;
  let checked = 0;
  const check = async () => {
    checked += 1;
    return 'ok' as const;
  };
  const readiness = createReadiness('web', { database: check }, () => now);
  await Promise.all([readiness.report(), readiness.report()]);
  now = 499;
  await readiness.report();
  expect(checked).toBe(1);
  now = 500;
  await readiness.report();
  expect(checked).toBe(2);
});

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
