import { createTestDatabase } from '@switchyard/db/testing';
import { expect, it } from 'vitest';

it('every enum has a cast to text that counts as immutable, as Citus needs where Prisma reads what it wrote', async () => {
  const database = await createTestDatabase();
  try {
    const { rows } = await database.pool.query<{ name: string }>(`
      SELECT typname AS name FROM pg_type AS type JOIN pg_namespace ON pg_namespace.oid = typnamespace
      WHERE typtype = 'e' AND nspname = current_schema()
        AND NOT EXISTS (SELECT FROM pg_cast WHERE castsource = type.oid AND casttarget = 'text'::regtype)`);
    expect(rows.map(({ name }) => name)).toEqual([]);
  } finally {
    await database.close();
  }
});
