import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseTimeout, type WorkSubject, withWorkSubject } from '@switchyard/db';
import type { retryingPool } from '@switchyard/db/process';
import type { WorkerMetrics } from '@switchyard/telemetry';
import { type Job, type Logger, type Runner, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';

const DATABASE_RETRY_MS = 1_000;

/** Where a job queue reports to. */
export interface QueueOptions {
  /** Counts the jobs, from 0 on; null for no one. */
  readonly metrics: WorkerMetrics | null;
  readonly events: WorkerEvents;
  readonly logger: Logger;
}

/** Database pool, concurrency and tasks of a job queue, and the report of errors while the database is unavailable. */
export interface QueueWork {
  readonly pgPool: ReturnType<typeof retryingPool>;
  readonly concurrency: number;
  /** Milliseconds after which each free slot looks for jobs that have become due; new ones are announced. The library's two seconds unless given. */
  readonly pollInterval?: number;
  readonly taskList: TaskList;
  readonly report: (error: unknown, doing: string) => void;
  /** Ends the wait for the database. */
  readonly signal: AbortSignal;
}

/** Starts consuming jobs, once the database is available. The caller stops the runner. */
export function startQueue({ report, signal, ...work }: QueueWork, { metrics, ...options }: QueueOptions): Promise<Runner> {
  metrics?.expectJobs(Object.keys(work.taskList));
  const taskList = withSubjects(work.taskList);
  const start = () => run({ ...work, taskList, ...options, noHandleSignals: true, parsedCronItems: [] });
  return retryUntilDatabaseAvailable(start, { report, signal });
}

const SUBJECTS = new WeakMap<Job, WorkSubject>();

/** Subject that was found for a job of a queue of this process. */
export function subjectOf(job: Job): WorkSubject {
  return SUBJECTS.get(job) ?? {};
}

/** Each job is a piece of work of its own for the log. */
function withSubjects(taskList: TaskList): TaskList {
  const entries = Object.entries(taskList).flatMap(([name, task]): [string, Task][] => {
    if (task === undefined) return [];
    return [
      [
        name,
        (payload, helpers) => {
          const subject: WorkSubject = {};
          SUBJECTS.set(helpers.job, subject);
          return withWorkSubject(subject, () => task(payload, helpers));
        },
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/**
 * Waits for a database that is unavailable or overloaded; other errors are thrown. Once the signal is aborted, its reason is thrown
 * instead of another attempt: at once between attempts, and otherwise when the present one has failed, so that none goes on unseen.
 */
export async function retryUntilDatabaseAvailable<T>(
  step: () => Promise<T>,
  { report, signal }: Pick<QueueWork, 'report' | 'signal'>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      if (!isDatabaseTimeout(error)) throw error;
      report(error, 'connecting to the database');
      // An abort ends the pause; the next round throws its reason.
      await pause(DATABASE_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
