import type pg from 'pg';
import { z } from 'zod';
import { type ChangeHints, listenForHints } from './change-hints.ts';
import type { Database } from './connect.ts';
import { isDatabaseTimeout } from './database-unavailable.ts';
import type { Wake } from './job-payloads.ts';

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

const wakeSchema: z.ZodType<Wake> = z.discriminatedUnion('name', [
  z.object({ name: z.literal('follow-webhooks'), payload: z.object({ merchantId: z.uuid() }) }),
  z.object({ name: z.literal('deliver-events'), payload: z.object({ merchantId: z.uuid(), endpointId: z.uuid() }) }),
]);

/** Where the wakes of all processes go, and the report of errors: one for each outage of the connection. */
export interface WakeOptions {
  readonly onWake: (wake: Wake) => void;
  readonly onError: (error: unknown) => void;
}

/** Listens to the wakes of {@link hintWorkers}. They may be lost at any time: a listener also looks through the rows. */
export function listenForWakes(database: Database, { onWake, onError }: WakeOptions): ChangeHints {
  const url = database.pool.options.connectionString;
  if (url === undefined) throw new Error('a database without an address cannot be listened to');
  return listenForHints({ url, channel: 'work', onHint: (payload) => payload !== null && receive(payload), onError });

  function receive(payload: string): void {
    const parsed = wakeSchema.safeParse(parseJson(payload));
    if (parsed.success) onWake(parsed.data);
    else onError(new Error(`a wake that is none: ${payload}`));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** "Cannot connect now": the error code on which the job queue retries without limit. */
const CANNOT_CONNECT_NOW = '57P03';

/**
 * A pool for the job queue that reports every kind of unavailable database, and statements whose time was up, with the one code on which
 * the queue retries. The queue handles only some of those errors by itself and ends its process on the others. A statement that is tried
 * again after the pool was ended stays without an answer: the queue does not wait for the last of them when it is stopped, and a job
 * whose end is not recorded runs again.
 */
export function retryingPool(pool: pg.Pool): pg.Pool {
  return wrap(pool, {
    // By a callback the queue takes the connection that it listens on, and connects again by itself after an error.
    connect: (...callback) =>
      callback.length > 0
        ? Reflect.apply(pool.connect, pool, callback)
        : pool.ending
          ? new Promise(() => undefined)
          : pool.connect().then(retryingClient, cannotConnectNow),
  });
}

function retryingClient(client: pg.PoolClient): pg.PoolClient {
  return wrap(client, {
    query: (...args) => {
      const answer: unknown = Reflect.apply(client.query, client, args);
      return answer instanceof Promise ? answer.catch(cannotConnectNow) : answer;
    },
  });
}

/** The target with these methods replaced. */
function wrap<T extends object>(target: T, methods: Readonly<Record<string, (...args: readonly unknown[]) => unknown>>): T {
  return new Proxy(target, {
    get(_, name) {
      const own = typeof name === 'string' ? methods[name] : undefined;
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function cannotConnectNow(error: unknown): never {
  if (!isDatabaseTimeout(error)) throw error;
  throw Object.assign(new Error('The database is unavailable.', { cause: error }), { code: CANNOT_CONNECT_NOW });
}
