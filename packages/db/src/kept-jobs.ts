import type { Database } from './connect.ts';

/** Creates or updates the tables of the job queue. Safe to run at every start, by several processes at once. */
export async function migrateJobs(database: Database): Promise<void> {
  // Loaded on demand: the queue's code is large, and a process that only adds jobs does not need it.
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: database.pool });
}

const AGE_OUT_FAILED = `
SELECT id FROM graphile_worker.complete_jobs(ARRAY(
  SELECT id FROM graphile_worker.jobs
  WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < $1 LIMIT $2))`;

/** Deletes jobs that used up all attempts before a time, at most `limit` of them. Returns how many. */
export async function ageOutFailedJobs(database: Database, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(AGE_OUT_FAILED, [before, limit]);
  return rowCount ?? 0;
}
