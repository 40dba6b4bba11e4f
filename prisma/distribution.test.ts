import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DISTRIBUTION } from './distribution.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function column(text: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ value: string }>(text);
  return rows.map(({ value }) => value);
}

test('every table of the schema is in exactly one of the lists, and every list names tables alone', async () => {
  // The record of migrations is the engine's, which the template of the suites was made without.
  const tables = await column("SELECT tablename AS value FROM pg_tables WHERE schemaname = 'public'");
  const listed = [...DISTRIBUTION.reference, ...Object.keys(DISTRIBUTION.distributed), ...DISTRIBUTION.local];
  expect(listed.toSorted()).toEqual([...tables, '_prisma_migrations'].toSorted());
});

test('every key of a distributed table has the column that it is split by, without which Citus takes none', async () => {
  const keys = await column(
    `SELECT format('%s %s', class.relname, string_agg(attname, ',')) AS value
     FROM pg_index JOIN pg_class AS class ON class.oid = indrelid AND class.relnamespace = 'public'::regnamespace
     JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
     WHERE indisunique GROUP BY class.relname, indexrelid`,
  );
  const split: ReadonlyMap<string, string> = new Map(Object.entries(DISTRIBUTION.distributed));
  const without = keys.filter((key) => {
    const [table = '', columns = ''] = key.split(' ');
    const by = split.get(table);
    return by !== undefined && !columns.split(',').includes(by);
  });
  expect(without).toEqual([]);
});
