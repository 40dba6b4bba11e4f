import type { Database } from '@switchyard/db';
import type { WorkerMetrics } from '@switchyard/telemetry';
import type { JobHelpers, TaskSpec } from 'graphile-worker';

/** Work that is repeated after an interval. */
export interface Recurring {
  readonly name: string;
  readonly intervalMs: number;
  readonly work: () => Promise<unknown>;
}

/** The same work, each of its runs counted. */
export function countRuns(recurring: Recurring, metrics: WorkerMetrics | null): Recurring {
  if (metrics === null) return recurring;
  const { name, work } = recurring;
  metrics.expectRecurring(name);
  return {
    ...recurring,
    async work() {
      const startedAt = performance.now();
      let outcome: 'done' | 'failed' = 'failed';
      try {
        await work();
        outcome = 'done';
      } finally {
        metrics.recurring(name, outcome, (performance.now() - startedAt) / 1_000);
      }
    },
  };
}

/** Never reached by work that reports its own errors: only processes that die while working use up attempts. */
const ATTEMPTS_MAX = 30_000;

/** One job under this name for all processes, however many queue it. */
export function recurringJob({ name }: Recurring): TaskSpec {
  return { jobKey: name, maxAttempts: ATTEMPTS_MAX };
}

/**
 * By the database's clock, which decides what is due: a process whose clock is behind by more than the interval would find its own
 * job due at once, again and again.
 */
const QUEUE_AGAIN = `
SELECT graphile_worker.add_job($1::text, payload := '{}', run_at := now() + $2 * interval '1 millisecond', max_attempts := $3,
  job_key := $1::text)`;

const QUEUE_MISSING = `
SELECT graphile_worker.add_job(name, payload := '{}', max_attempts := $2, job_key := name, job_key_mode := 'unsafe_dedupe')
FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = name)`;

/**
 * Queues the recurring work that is not in the queue, and leaves alone what is. A worker that was taken for dead while it worked queues its
 * work again as the very job that it completes, and so deletes, afterwards: without this, no worker would do it any more.
 */
export async function queueMissing(
  database: Pick<Database, 'pool'>,
  recurring: readonly Pick<Recurring, 'name'>[],
): Promise<void> {
  const names = recurring.map(({ name }) => name);
  await database.pool.query({ name: 'queue-missing-work', text: QUEUE_MISSING, values: [names, ATTEMPTS_MAX] });
}

/** A task that does its work and queues itself again, also after an error. */
export function recurringTask(recurring: Recurring, report: (error: unknown, doing: string) => void) {
  return async (_payload: unknown, { query }: Pick<JobHelpers, 'query'>): Promise<void> => {
    const { name, intervalMs } = recurring;
    await recurring.work().catch((error: unknown) => report(error, name));
    await query(QUEUE_AGAIN, [name, intervalMs, ATTEMPTS_MAX]);
  };
}

/** Repeats its work in this process until it is stopped, with the interval after each run. */
export function repeat(
  { name, intervalMs, work }: Recurring,
  report: (error: unknown, doing: string) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const runOnce = () => {
    running = work().then(
      () => undefined,
      (error: unknown) => report(error, name),
    );
    void running.then(() => {
      if (!stopped) timer = setTimeout(runOnce, intervalMs);
    });
  };
  runOnce();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
