import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retryingPool } from './job-pools.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const endOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

test('a connection that ends during a statement is reported as retryable', async () => {
  const pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  const client = await retryingPool(pool).connect();
  client.on('error', () => undefined);
  const asked = client.query('SELECT pg_sleep(30)');
  asked.catch(() => undefined);
  await expect.poll(() => database.pool.query(endOthers).then(() => asked.then(null, ({ code }) => code))).toBe('57P03');
  client.release(true);
  await pool.end();
});

test('a connection that is asked for by a callback is given to it, and the pool ends once it is released', async () => {
  const pool = new pg.Pool({ connectionString: database.url });
  const answer = await new Promise((resolve, reject) => {
    retryingPool(pool).connect((error, client, release) => {
      if (client === undefined) return reject(error);
      client
        .query('SELECT 1 AS one')
        .then(({ rows }) => resolve(rows), reject)
        .finally(() => release());
    });
  });
  expect(answer).toEqual([{ one: 1 }]);
  await pool.end();
});

test('an unreachable server is reported as retryable', async () => {
  const pool = new pg.Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/nothing' });
  await expect(retryingPool(pool).connect()).rejects.toMatchObject({ code: '57P03' });
  await pool.end();
});

test('an error in a statement keeps its code', async () => {
  const client = await retryingPool(database.pool).connect();
  await expect(client.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  client.release();
});

test('a statement whose time was up is reported as retryable', async () => {
  const pool = new pg.Pool({ connectionString: database.url, statement_timeout: 20 });
  const client = await retryingPool(pool).connect();
  await expect(client.query('SELECT pg_sleep(30)')).rejects.toMatchObject({ code: '57P03' });
  client.release();
  await pool.end();
});

test('a statement that is tried again after the end of the pool is not an error that ends the process', async () => {
  const pool = new pg.Pool({ connectionString: database.url });
  await pool.end();
  const settled = retryingPool(pool)
    .connect()
    .then(
      () => 'connected',
      () => 'failed',
    );
  expect(await Promise.race([settled, pause(50, 'without an answer')])).toBe('without an answer');
});
