import { newId, type Reports } from '@switchyard/db';
import { openReports } from '@switchyard/db/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reservePayment } from '../../record/statements.ts';
import { newPayment } from '../../testing/context.ts';

let database: TestDatabase;
let reports: Reports;
beforeAll(async () => {
  database = await createTestDatabase();
  reports = openReports({ url: database.url, ...TEST_CONNECTION, onIdleError: () => undefined });
});
afterAll(async () => {
  await reports.close();
  await database.close();
});

async function sleepers(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE application_name = 'switchyard reports' AND datname = current_database() AND query LIKE 'SELECT pg_sleep%' AND state = 'active'`,
  );
  return rows[0]?.n ?? 0;
}

test('payments are accepted while every reporting connection runs an endless query', async () => {
  const caller = new AbortController();
  const { signal } = caller;
  const endless = () =>
    reports.read(
      async (client) => {
        await client.query('SET LOCAL statement_timeout = 0');
        await client.query('SELECT pg_sleep(3600)');
      },
      { signal },
    );
  const queries = Array.from({ length: 4 }, () => endless().catch((error: Error) => error));
  await expect.poll(sleepers).toBe(4);
  const oneMore = reports.read(async (client) => (await client.query('SELECT 1')).rows).catch((error: Error) => error);
  const merchantId = newId();
  for (let taken = 0; taken < 20; taken++) await reservePayment(database, newPayment({ merchantId }), null);
  expect(await sleepers()).toBe(4);
  expect(await database.prisma.payment.count({ where: { merchantId } })).toBe(20);
  caller.abort();
  expect((await Promise.all(queries)).map((outcome) => outcome instanceof Error)).toEqual([true, true, true, true]);
  await oneMore;
});

test('the database ends a query that exceeds its timeout', async () => {
  await expect(
    reports.read(async (client) => {
      expect((await client.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '10s' }]);
      await client.query("SET LOCAL statement_timeout = '50ms'");
      await client.query('SELECT pg_sleep(60)');
    }),
  ).rejects.toThrow(/statement timeout/);
});

test.each([
  ['alone', true],
  ['in a snapshot', false],
])('a file given up half-way, read %s, leaves the connections as they were', async (_, single) => {
  const rows = `SELECT n, repeat('x', 1000) FROM generate_series(1, 100000) AS n`;
  for (let round = 0; round < 6; round++) {
    const givenUp = reports.read(
      async (client) => {
        client.query(rows).catch(() => undefined);
        await client.query('SELECT 1');
        throw new Error('enough');
      },
      { single },
    );
    await expect(givenUp).rejects.toThrow('enough');
  }
  for (let round = 0; round < 8; round++) {
    expect(await reports.read(async (client) => (await client.query('SELECT 1 AS one')).rows, { single })).toEqual([{ one: 1 }]);
  }
});

test('a query cancelled as it completes does not cancel the next query', async () => {
  for (let round = 0; round < 25; round++) {
    const caller = new AbortController();
    const givenUp = reports.read(
      async (client) => {
        await client.query('SELECT 1');
        caller.abort();
      },
      { signal: caller.signal },
    );
    await givenUp;
    await reports.read((client) => client.query('SELECT pg_sleep(0.02)'));
  }
});
