import { EventEmitter } from 'node:events';
import { retryingPool } from '@switchyard/db/process';
import { openResources } from '@switchyard/merchants';
import { openPayments } from '@switchyard/payments/context';
import { type openLog, openOperations, startTracing, type Tracing } from '@switchyard/telemetry';
import type { Runner, Task, TaskList, WorkerEvents } from 'graphile-worker';
import { startDeliveries } from './deliveries.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startNotifications } from './notifications.ts';
import { countRuns, queueMissing, type Recurring, recurringJob, recurringTask, repeat } from './recurring.ts';
import { type QueueOptions, retryUntilDatabaseAvailable, startQueue } from './start-queue.ts';
import { recurringWork, sweeps, tasks } from './tasks.ts';
import { queueLogger, type WorkReports, watchJobs } from './watch-jobs.ts';
import type { WorkerContext } from './worker-context.ts';

const CONCURRENCY = 8;
/** How often recurring work that is lost from the queue is put back. */
const QUEUE_MISSING_MS = 5_000;

/** Clock and error report of a worker process. */
export interface WorkerOptions {
  /** The clock of payments and merchants. */
  readonly now?: () => Date;
  readonly report: (error: unknown, doing: string) => void;
  /** Where finished jobs are logged; nowhere unless given. */
  readonly log?: ReturnType<typeof openLog>;
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
export async function startWorker(
  environment: Readonly<Record<string, string | undefined>>,
  options: WorkerOptions,
): Promise<RunningWorker> {
  const { report, now, log = null } = options;
  const tracing = await startTracing('worker', environment);
  const resources = openResources(environment, report);
  await retryUntilDatabaseAvailable(() => resources.configuration.refresh(), report);
  const payments = openPayments(resources, { onError: report, ...(now && { now }) });
  const merchants = { resources, now: payments.now, newId: payments.newId };
  const context: WorkerContext = { payments, merchants, pgPool: retryingPool(resources.database.pool), report };
  const operations = await openOperations({ process: 'worker', environment, resources });
  const reports: WorkReports = { log, metrics: operations.metrics?.work ?? null };
  const counted = (work: readonly Recurring[]) => work.map((one) => countRuns(one, reports.metrics));
  const recurring = counted(recurringWork(context));
  const events: WorkerEvents = new EventEmitter();
  watchJobs(events, reports, (task) => recurring.some(({ name }) => name === task));
  const heartbeat = startHeartbeat(resources.database, events, report);
  const queue = { events, logger: queueLogger(log) };
  const runner = await runJobs(context, recurring, queue, tracing);
  const deliveries = await startDeliveries(context, queue, tracing);
  const notifications = await startNotifications(context, queue, environment);
  const missing = {
    name: 'queue-missing',
    intervalMs: QUEUE_MISSING_MS,
    work: () => queueMissing(resources.database, recurring),
  };
  const sweeping = counted([...sweeps(context), missing]).map((one) => repeat(one, report));
  return {
    async stop() {
      operations.readiness.drain();
      await Promise.all([runner.stop(), deliveries.stop(), notifications.stop(), ...sweeping.map((one) => one.stop())]);
      await heartbeat.stop();
      payments.close();
      await operations.close();
      await tracing.close();
      await resources.close();
    },
  };
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

async function runJobs(
  context: WorkerContext,
  recurring: readonly Recurring[],
  queue: QueueOptions,
  tracing: Tracing,
): Promise<Runner> {
  const { pgPool, report } = context;
  const taskList = {
    ...traced(tasks(context), tracing),
    ...Object.fromEntries(recurring.map((one) => [one.name, recurringTask(one, report)])),
  };
  const runner = await startQueue({ pgPool, report, concurrency: CONCURRENCY, taskList }, queue);
  for (const one of recurring) {
    await retryUntilDatabaseAvailable(() => runner.addJob(one.name, {}, recurringJob(one)), report);
  }
  return runner;
}
