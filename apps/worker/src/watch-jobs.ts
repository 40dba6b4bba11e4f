import type { WorkSubject } from '@switchyard/db';
import type { openLog, WorkerMetrics } from '@switchyard/telemetry';
import { Logger, type WorkerEvents } from 'graphile-worker';
import { subjectOf } from './start-queue.ts';

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
