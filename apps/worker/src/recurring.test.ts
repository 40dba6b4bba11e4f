import { migrateJobs } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { runOnce } from 'graphile-worker';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { recurringTask } from './recurring.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database);
});
afterEach(() => vi.useRealTimers());
afterAll(() => database.close());

test('recurring work rests for its interval in a process whose clock is behind', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 600_000 });
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    // Ends a loop that would not end.
    if (runs === 3) vi.useRealTimers();
  };
  const task = recurringTask({ name: 'tick', intervalMs: 60_000, work }, () => undefined);
  await database.pool.query(`SELECT graphile_worker.add_job('tick', job_key := 'tick')`);
  await runOnce({ pgPool: database.pool, taskList: { tick: task } });
  expect(runs).toBe(1);
  const { rows } = await database.pool.query<{ waits: boolean }>(
    `SELECT run_at > now() + interval '50 seconds' AS waits FROM graphile_worker.jobs WHERE key = 'tick'`,
  );
  expect(rows).toEqual([{ waits: true }]);
});
