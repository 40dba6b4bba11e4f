import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const FILES = join(import.meta.dirname, 'functions');

const DEFINITIONS = `
SELECT pg_get_functiondef(oid) AS definition FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind IN ('f', 'p')
UNION ALL
SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
UNION ALL
SELECT format('%s AS %s BY %s', castsource::regtype, casttarget::regtype, castfunc::regprocedure) FROM pg_cast JOIN pg_proc ON pg_proc.oid = castfunc
WHERE pronamespace = current_schema()::regnamespace
ORDER BY 1`;

/** Triggers and casts go with their functions. */
const DROP_ALL = `
DO $$
DECLARE
  one REGPROCEDURE;
BEGIN
  FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind IN ('f', 'p') LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', one);
  END LOOP;
END $$`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function readDefinitions(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ definition: string }>(DEFINITIONS);
  return rows.map(({ definition }) => definition);
}

test('the functions, triggers and casts that the migrations made are those of prisma/functions', async () => {
  const made = await readDefinitions();
  await database.pool.query(DROP_ALL);
  expect(await readDefinitions()).toEqual([]);
  // A trigger may call what a later file makes: its table is there, and so must its function be.
  for (const file of readdirSync(FILES).sort()) await database.pool.query(readFileSync(join(FILES, file), 'utf8'));
  expect(await readDefinitions()).toEqual(made);
});
