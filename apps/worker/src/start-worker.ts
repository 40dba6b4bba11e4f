import { EventEmitter } from 'node:events';
import { retryingPool } from '@switchyard/db/process';
import { openPayments } from '@switchyard/payments/context';
import type { WebhookFollower } from '@switchyard/payments/gateway-webhooks';
import { openResources } from '@switchyard/runtime/resources';
import type { Environment } from '@switchyard/runtime/settings';
import { logPayments, type openLog, openOperations, startTracing, type Tracing } from '@switchyard/telemetry';
import type { Runner, Task, TaskList, WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import { startDeliveries } from './deliveries.ts';
import { openFollowUps } from './follow-ups.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startNotifications } from './notifications.ts';
import { countRuns, queueMissing, type Recurring, recurringJob, recurringTask, repeat } from './recurring.ts';
import { startReports } from './reports.ts';
import { type QueueOptions, retryUntilDatabaseAvailable, startQueue } from './start-queue.ts';
import { recurringWork, sweeps, tasks } from './tasks.ts';
import { queueLogger, type WorkReports, watchJobs } from './watch-jobs.ts';
import type { WorkerContext } from './worker-context.ts';

const CONCURRENCY = 8;
/** Of jobs that say that something is due. */
const WAKING_CONCURRENCY = 4;
/** How often recurring work that is lost from the queue is put back. */
const QUEUE_MISSING_MS = 5_000;

const merchantSchema = z.object({ merchantId: z.uuid() });

/** Clock and error report of a worker process. */
export interface WorkerOptions {
  /** The clock of payments and merchants. */
  readonly now?: () => Date;
  readonly report: (error: unknown, doing: string) => void;
  /** Where finished jobs are logged; nowhere unless given. */
  readonly log?: ReturnType<typeof openLog>;
  /** Ends a start that waits for the database: what it had opened is released, and the signal's reason thrown. */
  readonly signal?: AbortSignal;
}

/** A started worker process. */
export interface RunningWorker {
  /** Lets running jobs finish, then releases all resources. */
  stop(): Promise<void>;
}

/**
 * Starts a worker on the environment: jobs from the queue, and recurring work. Any number may run at once. Throws
 * `EnvironmentError` naming every variable that is wrong.
 */
export async function startWorker(environment: Environment, options: WorkerOptions): Promise<RunningWorker> {
  const { report, now, log = null, signal = new AbortController().signal } = options;
  const tracing = await startTracing('worker', environment);
  const resources = openResources(environment, report);
  const opened: Opened = { work: [], releases: [() => resources.close(), () => tracing.close()], drain: () => undefined };
  try {
    await retryUntilDatabaseAvailable(() => resources.configuration.refresh(), { report, signal });
    await retryUntilDatabaseAvailable(() => resources.secrets.check(), { report, signal });
    if (log !== null) opened.releases.push(logPayments(log));
    const payments = openPayments(resources, { onError: report, ...(now && { now }) });
    opened.releases.push(() => payments.close());
    const { newId } = payments;
    const context: WorkerContext = {
      resources,
      now: payments.now,
      newId,
      payments,
      pgPool: retryingPool(resources.database.pool),
      report,
      signal,
    };
    const operations = await openOperations({ process: 'worker', environment, resources });
    opened.releases.push(() => operations.close());
    opened.drain = () => operations.readiness.drain();
    const reports: WorkReports = { log, metrics: operations.metrics?.work ?? null };
    const counted = (work: readonly Recurring[]) => work.map((one) => countRuns(one, reports.metrics));
    const recurring = counted(recurringWork(context));
    const events: WorkerEvents = new EventEmitter();
    watchJobs(events, reports, (task) => recurring.some(({ name }) => name === task));
    const heartbeat = startHeartbeat(resources.database, events, report);
    opened.releases.push(() => heartbeat.stop());
    const queue = { events, logger: queueLogger(log), metrics: reports.metrics };
    const runner = await runJobs(context, recurring, queue, tracing);
    opened.work.push(runner);
    for (const one of recurring) {
      await retryUntilDatabaseAvailable(() => runner.addJob(one.name, {}, recurringJob(one)), { report, signal });
    }
    const followUps = openFollowUps(context, reports, tracing);
    opened.work.push(await startWoken(context, followUps, queue, tracing));
    opened.work.push(await startNotifications(context, queue, environment));
    opened.work.push(await startReports(context, queue, environment));
    const missing = {
      name: 'queue-missing',
      intervalMs: QUEUE_MISSING_MS,
      work: () => queueMissing(resources.database, recurring),
    };
    opened.work.push(...counted([...sweeps(context, followUps), missing]).map((one) => repeat(one, report)));
  } catch (error) {
    await stop(opened);
    throw error;
  }
  return { stop: () => stop(opened) };
}

/** Resources that a worker has opened so far. */
interface Opened {
  /** Stopped first, all at once. */
  readonly work: { stop(): Promise<void> }[];
  /** Called one after the other after that, the last one first. */
  readonly releases: (() => Promise<void> | void)[];
  drain: () => void;
}

async function stop({ work, releases, drain }: Opened): Promise<void> {
  drain();
  await Promise.all(work.map((one) => one.stop()));
  for (const release of releases.toReversed()) await release();
}

/**
 * Each job is a trace of its own. Jobs of one key are one job, and one statement queues those of many requests: a job has no single
 * request that it continues.
 */
function traced(taskList: TaskList, { inSpan }: Tracing): TaskList {
  const entries = Object.entries(taskList).flatMap(([name, task]): [string, Task][] => {
    if (task === undefined) return [];
    const attributes = { 'messaging.system': 'graphile_worker', 'messaging.destination.name': name };
    return [[name, (payload, helpers) => inSpan(`job ${name}`, attributes, () => task(payload, helpers))]];
  });
  return Object.fromEntries(entries);
}

/**
 * Starts what is found by sweeping its own rows, and jobs of a queue of their own that say that something is due: neither these nor other
 * jobs wait for each other.
 */
async function startWoken(
  context: WorkerContext,
  followUps: WebhookFollower,
  queue: QueueOptions,
  tracing: Tracing,
): Promise<{ stop(): Promise<void> }> {
  const { pgPool, report, signal } = context;
  const deliveries = startDeliveries(context, tracing);
  const taskList: TaskList = {
    ...deliveries.tasks,
    'follow-webhooks': (payload) => void followUps.wake(merchantSchema.parse(payload).merchantId),
  };
  const woken = [deliveries, followUps];
  const stopAll = () => Promise.all(woken.map((one) => one.stop()));
  try {
    const runner = await startQueue({ pgPool, report, signal, concurrency: WAKING_CONCURRENCY, taskList }, queue);
    return {
      async stop() {
        await runner.stop();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function runJobs(
  context: WorkerContext,
  recurring: readonly Recurring[],
  queue: QueueOptions,
  tracing: Tracing,
): Promise<Runner> {
  const { pgPool, report, signal } = context;
  const taskList = {
    ...traced(tasks(context), tracing),
    ...Object.fromEntries(recurring.map((one) => [one.name, recurringTask(one, report)])),
  };
  return startQueue({ pgPool, report, signal, concurrency: CONCURRENCY, taskList }, queue);
}
