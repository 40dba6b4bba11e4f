import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from './connect.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';
import { newId } from './uuid.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no error',
    (error: unknown) => error,
  );
}

/** Waits until a statement runs, and ends its connection as a restart would. */
async function endConnectionAt(statement: string): Promise<void> {
  const end = `SELECT count(pg_terminate_backend(pid))::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`;
  await expect.poll(async () => (await database.pool.query<{ n: number }>(end, [statement])).rows[0]?.n).toBe(1);
}

describe('the database is unavailable', () => {
  test('when a restart ends a busy connection, through Prisma and through the pool', async () => {
    const byPrisma = errorOf(database.prisma.$queryRaw`SELECT 'by prisma', pg_sleep(60)::text`);
    await endConnectionAt("SELECT 'by prisma'%");
    expect(isDatabaseUnavailable(await byPrisma)).toBe(true);
    const byPool = errorOf(database.pool.query("SELECT 'by pool', pg_sleep(60)"));
    await endConnectionAt("SELECT 'by pool'%");
    expect(isDatabaseUnavailable(await byPool)).toBe(true);
  });

  test('when a restart ends a transaction of ours', async () => {
    const work = errorOf(
      database.prisma.$transaction(async (transaction) => {
        await transaction.$queryRaw`SELECT 'in a transaction', pg_sleep(60)::text`;
      }),
    );
    await endConnectionAt("SELECT 'in a transaction'%");
    expect(isDatabaseUnavailable(await work)).toBe(true);
  });

  test('when a restart ends a transaction of ours as it commits', async () => {
    await database.pool.query(`CREATE TABLE slow_to_commit (id int);
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON slow_to_commit DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION dawdle()`);
    const work = errorOf(database.prisma.$transaction((on) => on.$executeRaw`INSERT INTO slow_to_commit VALUES (1)`));
    await endConnectionAt('COMMIT%');
    expect(isDatabaseUnavailable(await work)).toBe(true);
  });

  test('when no server listens, and when the server never answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      for (const url of ['postgresql://postgres@127.0.0.1:1/none', `postgresql://postgres@127.0.0.1:${port}/none`]) {
        const nowhere = openDatabase({ url });
        expect(isDatabaseUnavailable(await errorOf(nowhere.pool.query('SELECT 1')))).toBe(true);
        expect(isDatabaseUnavailable(await errorOf(nowhere.prisma.$queryRaw`SELECT 1`))).toBe(true);
        await nowhere.close();
      }
    } finally {
      silent.close();
    }
  });

  test('when every connection is in use for longer than the acquire time-out', async () => {
    const narrow = openDatabase({ url: database.url, maxConnections: 1 });
    const onlyClient = await narrow.pool.connect();
    try {
      expect(isDatabaseUnavailable(await errorOf(narrow.pool.query('SELECT 1')))).toBe(true);
      expect(isDatabaseUnavailable(await errorOf(narrow.prisma.$transaction(async (on) => on.$queryRaw`SELECT 1`)))).toBe(true);
    } finally {
      onlyClient.release();
      await narrow.close();
    }
  });
});

describe('an acknowledged commit survives a crash of the server', () => {
  const settingOf = async (url: string): Promise<unknown[]> => {
    const opened = openDatabase({ url });
    try {
      const { rows } = await opened.pool.query('SHOW synchronous_commit');
      const inTransaction = await opened.prisma.$transaction((on) => on.$queryRaw<object[]>`SHOW synchronous_commit`);
      return [...rows, ...inTransaction];
    } finally {
      await opened.close();
    }
  };
  const setForDatabase = (value: string) =>
    database.pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = ${value}', current_database()); END $$`,
    );

  test('although the server by default acknowledges before it writes', async () => {
    await setForDatabase('off');
    expect(await settingOf(database.url)).toEqual([{ synchronous_commit: 'on' }, { synchronous_commit: 'on' }]);
  });

  test('and a server that waits for its standbys still does', async () => {
    await setForDatabase('remote_apply');
    expect(await settingOf(database.url)).toEqual([
      { synchronous_commit: 'remote_apply' },
      { synchronous_commit: 'remote_apply' },
    ]);
  });
});

test('an error in a statement is not an unavailable database', async () => {
  expect(isDatabaseUnavailable(await errorOf(database.pool.query('SELECT nothing FROM nowhere')))).toBe(false);
  expect(isDatabaseUnavailable(await errorOf(database.prisma.$queryRaw`SELECT 1 / 0`))).toBe(false);
  expect(isDatabaseUnavailable(await errorOf(database.prisma.merchant.findUniqueOrThrow({ where: { id: newId() } })))).toBe(
    false,
  );
  expect(isDatabaseUnavailable(new Error('x'))).toBe(false);
  expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
});
