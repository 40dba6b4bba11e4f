import type { Database } from './connect.ts';

const HEARTBEAT = `
INSERT INTO job_pool (pool_id, seen_at) SELECT unnest($1::text[]), now()
ON CONFLICT (pool_id) DO UPDATE SET seen_at = excluded.seen_at`;

/** Records that these worker pools are alive, by the database's clock. */
export async function sendHeartbeat(database: Database, poolIds: readonly string[]): Promise<void> {
  await database.pool.query({ name: 'send-heartbeat', text: HEARTBEAT, values: [poolIds] });
}

const UNLOCK = `
WITH dead AS (
  SELECT DISTINCT locked_by FROM graphile_worker.jobs
  WHERE locked_at < now() - make_interval(secs => $1) AND NOT EXISTS (
    SELECT FROM job_pool WHERE pool_id = locked_by AND seen_at >= now() - make_interval(secs => $1))),
expired AS (DELETE FROM job_pool WHERE seen_at < now() - interval '1 day')
SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM dead HAVING count(*) > 0`;

/**
 * Unlocks the jobs of worker pools that sent no heartbeat for `silenceSeconds`. A pool that was only slow may see its job run twice,
 * so tasks must be idempotent.
 */
export async function unlockJobsOfDeadWorkers(database: Database, silenceSeconds: number): Promise<void> {
  await database.pool.query({ name: 'unlock-jobs-of-dead-workers', text: UNLOCK, values: [silenceSeconds] });
}
