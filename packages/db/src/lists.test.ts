import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Prisma } from './generated/client.ts';
import { countByValue, countOf, countOfAll, type TenantList } from './lists.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';

const MINE = randomUUID();
const ROWS = 30_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.prisma.tenant.create({ data: { id: MINE } });
  await database.pool.query('CREATE TABLE listed (merchant_id uuid, created_at timestamptz, id uuid, place int, state text)');
  await database.pool.query(
    `INSERT INTO listed SELECT $1, now(), gen_random_uuid(), n, CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'usual' END
     FROM generate_series(1, $2::int) AS n`,
    [MINE, ROWS],
  );
  await database.pool.query(
    "INSERT INTO listed SELECT gen_random_uuid(), now(), gen_random_uuid(), n, 'usual' FROM generate_series(1, 50) AS n",
  );
});
afterAll(() => database.close());

const count = (condition: Prisma.Sql, values = ['usual', 'rare', 'none']) => {
  const list: TenantList = { table: 'listed', merchantIds: [MINE], conditions: [condition], by: 'merchant' };
  return countByValue(database.prisma, list, { column: 'state', type: 'text', values });
};

describe('the rows of a list, counted by a value', () => {
  test('are exact beyond ten thousand, of the merchants and conditions of the list', async () => {
    const found = (await count(Prisma.sql`p.place > 1000`)) ?? [];
    expect(countOf(found, 'usual')).toEqual({ count: 28_971, more: false });
    expect(countOf(found, 'rare')).toEqual({ count: 29, more: false });
    expect(countOf(found, 'none')).toEqual({ count: 0, more: false });
    expect(countOfAll(found)).toEqual({ count: 29_000, more: false });
  });

  test('leave out values that were not asked for', async () => {
    expect(countOfAll((await count(Prisma.sql`true`, ['rare'])) ?? [])).toEqual({ count: 30, more: false });
  });

  test('are counted to ten thousand where all of them take more than a second', async () => {
    // A row near the end takes longer than the limit; counting the usual ones to ten thousand never comes to it.
    const slowNearTheEnd = Prisma.sql`CASE WHEN p.place = ${ROWS - 1}::int THEN pg_sleep(20) IS NOT NULL ELSE true END`;
    const found = (await count(slowNearTheEnd, ['usual'])) ?? [];
    expect(found).toEqual([{ value: 'usual', count: 10_000, more: true }]);
    expect(countOfAll(found)).toEqual({ count: 10_000, more: true });
  });

  test('have no number where even that takes longer: the list is shown without', async () => {
    expect(await count(Prisma.sql`pg_sleep(0.01) IS NOT NULL`)).toBeNull();
  });
});
