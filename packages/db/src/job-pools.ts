import type { Database } from './connect.ts';

const SAY = `
INSERT INTO job_pool (pool_id, seen_at) SELECT unnest($1::text[]), now()
ON CONFLICT (pool_id) DO UPDATE SET seen_at = excluded.seen_at`;

/** Remembers that these pools of workers are alive, by the database's clock. */
export async function sendHeartbeat(database: Database, poolIds: readonly string[]): Promise<void> {
  await database.pool.query({ name: 'say-pools-are-alive', text: SAY, values: [poolIds] });
}

const RELEASE = `
WITH gone AS (
  SELECT DISTINCT locked_by FROM graphile_worker.jobs
  WHERE locked_at < now() - make_interval(secs => $1) AND NOT EXISTS (
    SELECT FROM job_pool WHERE pool_id = locked_by AND seen_at >= now() - make_interval(secs => $1))),
forgotten AS (DELETE FROM job_pool WHERE seen_at < now() - interval '1 day')
SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM gone HAVING count(*) > 0`;

/**
 * Frees the jobs that pools hold which have not been heard of for so long. One that was only slow may then see its job done by
 * another too: tasks bear that.
 */
export async function unlockJobsOfDeadWorkers(database: Database, silenceSeconds: number): Promise<void> {
  await database.pool.query({ name: 'release-jobs-of-the-gone', text: RELEASE, values: [silenceSeconds] });
}
