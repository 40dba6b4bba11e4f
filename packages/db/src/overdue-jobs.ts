import type { Database } from './connect.ts';

/** Counting stops here. */
const COUNTED_MAX = 100_000;

const COUNT = `
SELECT count(*)::int AS count, min(run_at) AS "oldestAt" FROM (
  SELECT run_at FROM graphile_worker.jobs
  WHERE locked_at IS NULL AND attempts < max_attempts AND run_at < now() - $1 * interval '1 millisecond' LIMIT ${COUNTED_MAX}) AS overdue`;

/**
 * Jobs that have been due for this time and that no worker has begun, by the database's clock. A job of a queue whose earlier job runs
 * counts too.
 */
export async function countOverdueJobs(
  database: Database,
  overdueMs: number,
): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  const { rows } = await database.pool.query<{ count: number; oldestAt: Date | null }>({
    name: 'count-overdue-jobs',
    text: COUNT,
    values: [overdueMs],
  });
  return rows[0] ?? { count: 0, oldestAt: null };
}
