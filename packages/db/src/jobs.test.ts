import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobHint } from './job-payloads.ts';
import { hintJobs, untilHintsAdded } from './jobs.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';
import { newId } from './uuid-v7.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const deliver = (): JobHint => ({ name: 'deliver-events', payload: { merchantId: newId(), endpointId: newId() } });

async function jobsAdded(hints: readonly JobHint[]): Promise<number> {
  await database.pool.query('DELETE FROM graphile_worker._private_jobs');
  hintJobs(database, hints);
  await untilHintsAdded(database);
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM graphile_worker.jobs');
  return rows[0]?.count ?? 0;
}

test('a hint that its own process takes adds no job, one that it leaves does, and so do all once it takes none', async () => {
  const [taken, left] = [deliver(), deliver()];
  const offered: JobHint[] = [];
  database.takeHint = (hint) => {
    offered.push(hint);
    return hint === taken;
  };
  expect(await jobsAdded([taken, left])).toBe(1);
  expect(offered).toEqual([taken, left]);
  database.takeHint = undefined;
  expect(await jobsAdded([taken, left])).toBe(2);
});
