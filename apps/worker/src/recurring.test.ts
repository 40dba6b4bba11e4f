import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { runOnce } from 'graphile-worker';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { queueMissing, recurringTask } from './recurring.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
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

test('recurring work of a worker that was taken for dead while it worked is queued again, and other work stays as it is', async () => {
  // Another worker unlocks the job, and none takes it before this one goes on.
  const unlock = `SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM graphile_worker.jobs WHERE locked_by IS NOT NULL`;
  const work = async (): Promise<void> => void (await database.pool.query(unlock));
  const lost = { name: 'lost', intervalMs: 60_000, work };
  await database.pool.query(`SELECT graphile_worker.add_job('lost', job_key := 'lost')`);
  await database.pool.query(`SELECT graphile_worker.add_job('kept', job_key := 'kept', run_at := now() + interval '1 hour')`);
  await runOnce({ pgPool: database.pool, taskList: { lost: recurringTask(lost, () => undefined) } });
  // The queue completes the job after the run.
  const isQueued = async () => (await database.pool.query(`SELECT FROM graphile_worker.jobs WHERE key = 'lost'`)).rowCount;
  await expect.poll(isQueued).toBe(0);
  await queueMissing(database, [lost, { name: 'kept' }]);
  const { rows } = await database.pool.query<{ key: string; is_due: boolean }>(
    `SELECT key, run_at <= now() AS is_due FROM graphile_worker.jobs WHERE key IN ('lost', 'kept') ORDER BY key`,
  );
  expect(rows).toEqual([
    { key: 'kept', is_due: false },
    { key: 'lost', is_due: true },
  ]);
});
