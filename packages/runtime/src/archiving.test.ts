import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArchiving } from './archiving.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a server that archives nothing says so, and its base backups are not known', async () => {
  expect(await readArchiving(database)).toMatchObject({ archives: false, failing: false, baseSeconds: null, seesBackups: true });
});

test('a role that may not see the folder of the log still reads whether archiving fails', async () => {
  const client = await database.pool.connect();
  await client.query('CREATE ROLE sees_no_log');
  try {
    await client.query('SET ROLE sees_no_log');
    const pool = Object.assign(Object.create(database.pool), { connect: async () => client });
    expect(await readArchiving({ pool })).toMatchObject({
      archives: false,
      failing: false,
      baseSeconds: null,
      seesBackups: false,
    });
  } finally {
    // Given back by the reader: the only connection.
    await database.pool.query('RESET ROLE');
    await database.pool.query('DROP ROLE sees_no_log');
  }
});
