import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseTimeout, type WorkSubject, withWorkSubject } from '@switchyard/db';
import type { retryingPool } from '@switchyard/db/process';
import type { openLog, WorkerMetrics } from '@switchyard/telemetry';
import { type Job, Logger, type Runner, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';

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
function subjectOf(job: Job): WorkSubject {
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

type Log = ReturnType<typeof openLog>;

/** Where finished work is reported to; null for nowhere. */
export interface WorkReports {
  readonly log: Log | null;
  readonly metrics: WorkerMetrics | null;
}

/**
 * Writes a log line and counts each finished job. Payloads are never logged. Recurring jobs run every second: their lines are of
 * level `debug` while they succeed.
 */
export function watchJobs(events: WorkerEvents, { log, metrics }: WorkReports, isRecurring: (task: string) => boolean): void {
  const begun = new Map<string, number>();
  events.on('job:start', ({ job }) => begun.set(job.id, performance.now()));
  events.on('job:complete', ({ job, error }) => {
    const seconds = (performance.now() - (begun.get(job.id) ?? performance.now())) / 1_000;
    begun.delete(job.id);
    const outcome = !error ? 'done' : job.attempts >= job.max_attempts ? 'failed' : 'retried';
    const task = job.task_identifier;
    metrics?.job(task, outcome, seconds);
    const level = error ? 'warn' : isRecurring(task) ? 'debug' : 'info';
    if (log?.isLevelEnabled(level) !== true) return;
    const { id, attempts: attempt } = job;
    log[level](jobLine({ system: 'graphile_worker', task, id, seconds, attempt, outcome, error }, subjectOf(job)), 'job');
  });
}

/** A run of a job, or of other work that is reported as one. */
export interface EndedJob {
  /** Queue that it is from. */
  readonly system: 'graphile_worker' | 'switchyard';
  readonly task: string;
  readonly id: string;
  readonly seconds: number;
  /** From 1 on. */
  readonly attempt: number;
  readonly outcome: 'done' | 'retried' | 'failed';
  /** Null or undefined when it is done. */
  readonly error: unknown;
}

/** Fields of the log line of a run. */
export function jobLine(ended: EndedJob, { merchantId, paymentId }: WorkSubject): object {
  const { system, task, id, seconds, attempt, outcome, error } = ended;
  return {
    'messaging.system': system,
    'messaging.destination.name': task,
    'messaging.message.id': id,
    'messaging.process.duration': Math.round(seconds * 1e6) / 1e6,
    'switchyard.merchant_id': merchantId,
    'switchyard.payment_id': paymentId,
    attempt,
    outcome,
    ...(error !== null && error !== undefined && { error }),
  };
}

/** The queue's own messages, in the process's log: what it says of every job is said already. */
export function queueLogger(log: Log | null): Logger {
  return new Logger(() => (level, message) => {
    if (log !== null && (level === 'error' || level === 'warning'))
      log.warn({ component: 'graphile_worker' }, message.slice(0, 500));
  });
}
