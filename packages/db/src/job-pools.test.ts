import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendHeartbeat, unlockJobsOfDeadWorkers } from './job-pools.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('TRUNCATE graphile_worker._private_jobs; TRUNCATE job_pool'));

const lockedBy = async (poolId: string, secondsAgo: number) => {
  await database.pool.query(`SELECT graphile_worker.add_job('settle-overdue', max_attempts := 25)`);
  await database.pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - make_interval(secs => $2), attempts = 1
     WHERE locked_by IS NULL`,
    [poolId, secondsAgo],
  );
};
const holders = async () => {
  const { rows } = await database.pool.query<{ holder: string | null }>('SELECT locked_by AS holder FROM graphile_worker.jobs');
  return rows.map(({ holder }) => holder);
};
const insertHeartbeat = (poolId: string, secondsAgo: number) =>
  database.pool.query('INSERT INTO job_pool VALUES ($1, now() - make_interval(secs => $2))', [poolId, secondsAgo]);

describe('jobs of a worker pool', () => {
  test('without a recent heartbeat are unlocked', async () => {
    await lockedBy('gone', 40);
    await insertHeartbeat('gone', 40);
    await unlockJobsOfDeadWorkers(database, 30);
    expect(await holders()).toEqual([null]);
  });

  test('that never sent a heartbeat are unlocked once they are locked for long enough', async () => {
    await lockedBy('stillborn', 10);
    await unlockJobsOfDeadWorkers(database, 30);
    expect(await holders()).toEqual(['stillborn']);
    await unlockJobsOfDeadWorkers(database, 5);
    expect(await holders()).toEqual([null]);
  });

  test('that sends heartbeats stay locked, however long they take', async () => {
    await lockedBy('busy', 4_000);
    await sendHeartbeat(database, ['busy']);
    await unlockJobsOfDeadWorkers(database, 30);
    expect(await holders()).toEqual(['busy']);
  });
});
