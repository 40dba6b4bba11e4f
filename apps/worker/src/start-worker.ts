import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Wake } from '@switchyard/db';
import { listenForWakes, retryingPool, sendHeartbeat, unlockJobsOfDeadWorkers } from '@switchyard/db/process';
import { openPayments } from '@switchyard/payments/context';
import type { WebhookFollower } from '@switchyard/payments/gateway-webhooks';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import type { Environment } from '@switchyard/runtime/settings';
import { logPayments, type openLog, openOperations, startTracing, type Tracing } from '@switchyard/telemetry';
import type { Runner, Task, TaskList, WorkerEvents } from 'graphile-worker';
import { type Deliveries, openFollowUps, startDeliveries, startNotifications, startReports } from './consumers.ts';
import { countRuns, queueMissing, type Recurring, recurringJob, recurringTask, repeat } from './recurring.ts';
import {
  type QueueOptions,
  queueLogger,
  retryUntilDatabaseAvailable,
  startQueue,
  type WorkReports,
  watchJobs,
} from './start-queue.ts';
import { recurringWork, sweeps, tasks } from './tasks.ts';
import type { WorkerContext } from './worker-context.ts';

const CONCURRENCY = 8;
/** How often recurring work that is lost from the queue is put back. */
const QUEUE_MISSING_MS = 5_000;
/** The configuration is read again each second meanwhile: an account that does not open may be switched off. */
const SECRETS_RETRY_MS = 1_000;

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
    // First of all, so that operators see what it waits for.
    let isStarted = false;
    const checks = { jobs: async () => (isStarted ? 'ok' : 'starting') } as const;
    const operations = await openOperations({ process: 'worker', environment, resources, checks });
    opened.releases.push(() => operations.close());
    opened.drain = () => operations.readiness.drain();
    await retryUntilDatabaseAvailable(() => resources.configuration.refresh(), { report, signal });
    await retryUntilSecretsAreRight(resources, { report, signal });
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
    const reports: WorkReports = { log, metrics: operations.metrics?.work ?? null };
    const counted = (work: readonly Recurring[]) => work.map((one) => countRuns(one, reports.metrics));
    const recurring = counted(recurringWork(context));
    const events: WorkerEvents = new EventEmitter();
    watchJobs(events, reports, (task) => recurring.some(({ name }) => name === task));
    const heartbeat = startHeartbeat(resources.database, events, report);
    opened.releases.push(() => heartbeat.stop());
    const queue = { events, logger: queueLogger(log), metrics: reports.metrics };
    const deliveries = startDeliveries(context, tracing);
    const followUps = openFollowUps(context, reports, tracing);
    opened.work.push(deliveries, followUps);
    const runner = await runJobs(context, { ...tasks(context), ...deliveries.tasks }, recurring, queue, tracing);
    opened.work.push(runner);
    for (const one of recurring) {
      await retryUntilDatabaseAvailable(() => runner.addJob(one.name, {}, recurringJob(one)), { report, signal });
    }
    opened.work.push(startListening(context, deliveries, followUps));
    opened.work.push(await startNotifications(context, queue, environment));
    opened.work.push(await startReports(context, queue, environment));
    const missing = {
      name: 'queue-missing',
      intervalMs: QUEUE_MISSING_MS,
      work: () => queueMissing(resources.database, recurring),
    };
    opened.work.push(...counted([...sweeps(context, followUps), missing]).map((one) => repeat(one, report)));
    isStarted = true;
  } catch (error) {
    await stop(opened);
    throw error;
  }
  return { stop: () => stop(opened) };
}

/**
 * Waits until the process's secrets are those that the data was made with. With others it would take work from processes that can do it, and
 * do none of it.
 */
async function retryUntilSecretsAreRight(
  { secrets }: Resources,
  { report, signal }: Pick<WorkerContext, 'report' | 'signal'>,
): Promise<void> {
  for (;;) {
    await retryUntilDatabaseAvailable(() => secrets.check(), { report, signal });
    if (secrets.state().wrong.length === 0) return;
    await pause(SECRETS_RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
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

/** Has what is found by sweeping its own rows look at once when other processes say that something is due. */
function startListening(
  { resources, report }: WorkerContext,
  deliveries: Deliveries,
  followUps: WebhookFollower,
): { stop(): Promise<void> } {
  function onWake({ name, payload }: Wake): void {
    switch (name) {
      case 'deliver-events':
        deliveries.wake(payload);
        return;
      case 'follow-webhooks':
        void followUps.wake(payload.merchantId);
        return;
      default:
        name satisfies never;
    }
  }
  const wakes = listenForWakes(resources.database, { onWake, onError: (error) => report(error, 'listening for due work') });
  return { stop: async () => wakes.close() };
}

function runJobs(
  context: WorkerContext,
  taskList: TaskList,
  recurring: readonly Recurring[],
  queue: QueueOptions,
  tracing: Tracing,
): Promise<Runner> {
  const { pgPool, report, signal } = context;
  const all = {
    ...traced(taskList, tracing),
    ...Object.fromEntries(recurring.map((one) => [one.name, recurringTask(one, report)])),
  };
  return startQueue({ pgPool, report, signal, concurrency: CONCURRENCY, taskList: all }, queue);
}

const HEARTBEAT_INTERVAL_MS = 5_000;
const DEAD_AFTER_SECONDS = 30;

/**
 * Sends a heartbeat of this process's worker pools every five seconds, and unlocks the jobs of pools without one for half a
 * minute: by itself, the queue keeps the jobs of a killed process locked for hours.
 */
function startHeartbeat(
  database: Database,
  events: WorkerEvents,
  report: (error: unknown, doing: string) => void,
): { stop(): Promise<void> } {
  const poolIds = new Set<string>();
  let sending: Promise<void> = Promise.resolve();
  const beat = () => {
    sending = sendHeartbeat(database, [...poolIds])
      .then(() => unlockJobsOfDeadWorkers(database, DEAD_AFTER_SECONDS))
      .catch((error: unknown) => report(error, 'unlocking jobs of dead workers'));
  };
  events.on('pool:create', ({ workerPool }) => {
    poolIds.add(workerPool.id);
    beat();
  });
  const timer = setInterval(beat, HEARTBEAT_INTERVAL_MS);
  return {
    async stop() {
      clearInterval(timer);
      await sending;
    },
  };
}
