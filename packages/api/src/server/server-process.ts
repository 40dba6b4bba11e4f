import type { Server } from 'node:http';
import { countOperationsUnderWay } from '@switchyard/gateways';
import { openRequestLog, type RequestLog } from '@switchyard/merchants/request-log';
import { requestCheckAfterAbsence } from '@switchyard/payments/check-after-absence';
import { checkSettings, type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';
import { type OperatedProcess, openOperations, startTracing } from '@switchyard/telemetry';
import { EXPECTED_REQUESTS, requestKind } from '../http/request-kinds.ts';
import { watchRequests } from '../http/watch-requests.ts';
import { processSwitchyard, type Switchyard } from '../process.ts';
import type { FirstAnswerOptions } from './first-answer.ts';
import { listenOnSharedPort } from './listen-on-shared-port.ts';
import { createRequestQueue, type QueuedClass, type RequestQueue } from './request-queue.ts';
import { createShedder, readSheddingLimits, SAMPLE_MS } from './shed-load.ts';

export { readSettings, SETTINGS } from '@switchyard/runtime/settings';
export { limitUnreadBody } from '../http/server-limits.ts';
export { createFirstAnswer } from './first-answer.ts';
export { createHttpServer } from './http-server.ts';

/** Most milliseconds from the end of accepting to the exit: longer than the longest request, a whole initiate. */
const DRAIN_TIMEOUT_MS = 25_000;
const STREAM_TIMEOUT_MS = 21_000;
/** A connection that has sent no whole request by then is closed. */
const QUIET_MS = 1_000;
const QUIET_CHECK_MS = 25;
const LOG_SETTINGS = SETTINGS.pick({ SWITCHYARD_REQUEST_LOG: true });
const DRAIN_SETTINGS = SETTINGS.pick({ DRAIN_DELAY_MS: true });

/** An open server process: what answers, what operates it, and what watches its requests. */
export interface ServerProcess extends FirstAnswerOptions {
  readonly switchyard: Switchyard;
  /** Milliseconds for which it still answers, while it is not ready. */
  readonly drainDelayMs: number;
  /** Measures every {@link SAMPLE_MS} what requests wait for, until the process ends, so that some are shed under overload. */
  measureLoad(): void;
}

/**
 * Opens the resources of a server process. Exits with a readable message when the environment is invalid; starts without the
 * database, in which case answers are 503 until it is available.
 */
export async function openServerProcess(name: 'web' | 'reporting', environment: Environment): Promise<ServerProcess> {
  checkOrExit(name, environment);
  const tracing = await startTracing(name, environment, { routeOf });
  const switchyard = processSwitchyard(environment);
  const { resources, log } = switchyard;
  const ready = resources.configuration.ready().then(() => resources.secrets.check());
  await ready.catch((error: unknown) => log.warn({ error }, 'started without the database'));
  const operated = await operateServer(switchyard, name, environment).catch((error: unknown) =>
    exit(error instanceof Error ? error.message : 'The metrics cannot be opened.'),
  );
  const close = async () => {
    await operated.operations.close();
    await tracing.close();
  };
  return { ...operated, operations: { ...operated.operations, close } };
}

/** Requests of load balancers and of monitoring are not traced. */
function routeOf(method: string, path: string): string | null {
  const { route, importance } = requestKind(method, path);
  return importance === null ? null : route;
}

/** Adds what operates a server to an open Switchyard. Throws an `Error` that names the variable of a port that is taken. */
export async function operateServer(
  switchyard: Switchyard,
  name: 'web' | 'reporting',
  environment: Environment,
): Promise<ServerProcess> {
  const { resources, log } = switchyard;
  const limits = readSheddingLimits(environment);
  const shedder = createShedder(limits);
  const own = (): number => watch.inFlight - countOperationsUnderWay() - (queue?.waiting ?? 0);
  const hasCapacity = (importance: QueuedClass): boolean => shedder.hasCapacity(importance, own());
  const queue: RequestQueue | null =
    limits.waitMaxMs === null
      ? null
      : createRequestQueue({ waitMaxMs: limits.waitMaxMs, clock: () => performance.now(), hasCapacity });
  let endedBefore = 0;
  const measureLoad = (): void => {
    let expected = performance.now() + SAMPLE_MS;
    setInterval(() => {
      const now = performance.now();
      const delayMs = Math.max(0, now - expected);
      expected = now + SAMPLE_MS;
      shedder.observe({ own: own(), ended: watch.ended - endedBefore });
      endedBefore = watch.ended;
      queue?.sample(delayMs);
    }, SAMPLE_MS).unref();
  };
  const load = () => ({ inFlight: watch.inFlight, waiting: queue?.waiting ?? 0 });
  const replica = name === 'reporting' ? replicaOf(switchyard) : undefined;
  const expected = EXPECTED_REQUESTS[name];
  const operations = await openOperations({ process: name, environment, resources, load, expected, ...(replica && { replica }) });
  const http = operations.metrics?.http ?? null;
  const count: RequestCount = (fate, requests) => http?.logged(fate, requests);
  const keep = name === 'web' ? keeperOf(readSettings(LOG_SETTINGS, environment).SWITCHYARD_REQUEST_LOG, resources, count) : null;
  const watch = watchRequests({ log, answered: http?.answered ?? null, keep });
  const { DRAIN_DELAY_MS: drainDelayMs } = readSettings(DRAIN_SETTINGS, environment);
  return { switchyard, operations, watch, shedder, queue, drainDelayMs, measureLoad };
}

type RequestCount = Parameters<typeof openRequestLog>[1];

/** Keeps requests with API keys for the dashboard; null where none are. */
function keeperOf(
  kept: 'all' | 'refused' | 'off',
  { database }: Switchyard['resources'],
  count: RequestCount,
): RequestLog['record'] | null {
  if (kept === 'off') return null;
  const { record } = openRequestLog(database, count);
  return kept === 'all' ? record : (request) => (request.status ?? 0) >= 400 && record(request);
}

function replicaOf({ resources }: Switchyard): OperatedProcess['replica'] {
  return { pool: resources.reports.pool, readLagSeconds: () => resources.reports.readLagSeconds() };
}

/** Address of a server process, and its name in logs. */
export interface ListenOptions {
  readonly name: string;
  readonly port: number;
  readonly hostname: string;
  /** The environment variable that sets the port. */
  readonly portVariable: string;
}

/**
 * Connections that wait to be accepted: 511 by default, and then new ones are dropped while the process catches up, without an answer that
 * says when to come back. The kernel takes as many as `net.core.somaxconn` allows.
 */
const BACKLOG = 8_192;
/** Open connections, each of which takes some tens of kilobytes. Further ones are closed at once. */
const CONNECTIONS_MAX = 8_192;

/**
 * Listens until SIGINT or SIGTERM. From then on the process is not ready, still answers for its drain delay, in which load balancers
 * notice, then accepts nothing, finishes what runs and exits 0, or 1 when that takes too long. Exits with a readable message when it
 * cannot listen.
 */
export async function listen(
  server: Server,
  serverProcess: ServerProcess,
  { name, port, hostname, portVariable }: ListenOptions,
): Promise<void> {
  const fail = (error: NodeJS.ErrnoException) =>
    exit(error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another with ${portVariable}=…` : error.message);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => drain(server, serverProcess));
  await listenOnSharedPort(server, { port, host: hostname, backlog: BACKLOG, connectionsMax: CONNECTIONS_MAX }).catch(fail);
  server.on('error', fail);
  serverProcess.measureLoad();
  if (name === 'web') {
    const { heartbeat, resources } = serverProcess.switchyard;
    heartbeat.watchForAbsence((since) => requestCheckAfterAbsence(resources.database, since));
  }
  serverProcess.switchyard.log.info({ port }, `${name} is ready`);
}

function drain(server: Server, { operations, watch, switchyard, drainDelayMs: delayMs }: ServerProcess): void {
  operations.readiness.drain();
  watch.drain();
  switchyard.log.info({ delayMs }, 'draining');
  setTimeout(() => stop(server, { operations, watch, switchyard }), delayMs);
}

function stop(
  server: Server,
  { operations, watch, switchyard }: Pick<ServerProcess, 'operations' | 'watch' | 'switchyard'>,
): void {
  const quietAt = performance.now() + QUIET_MS;
  server.close(() => {
    Promise.all([operations.close(), switchyard.close()]).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  server.closeIdleConnections();
  setInterval(() => {
    if (watch.inFlight === 0 && performance.now() >= quietAt) server.closeAllConnections();
  }, QUIET_CHECK_MS).unref();
  // Dashboard streams that began meanwhile do not end by themselves; browsers reconnect.
  setTimeout(() => server.closeAllConnections(), STREAM_TIMEOUT_MS).unref();
  setTimeout(() => {
    switchyard.log.warn({ requests: watch.inFlight }, 'ended before all work had');
    process.exit(1);
  }, DRAIN_TIMEOUT_MS).unref();
}

function checkOrExit(name: 'web' | 'reporting', environment: Environment): void {
  try {
    checkSettings(name, environment);
  } catch (error) {
    exit(error instanceof Error ? error.message : 'The environment cannot be read.');
  }
}

function exit(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
