import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Database, OwnFaultError, workSubject } from '@switchyard/db';
import { observeGatewayOperations } from '@switchyard/gateways';
import { type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';
import { observeDeliveryAttempts } from '@switchyard/webhooks/deliveries';
import type { Logger } from 'pino';
import {
  type CheckedResources,
  type Checks,
  createReadiness,
  processChecks,
  type Readiness,
  replicaCheck,
} from './health/readiness.ts';
import type { ExpectedRequests, ServerLoad } from './metrics/http-metrics.ts';
import type { Metrics } from './metrics/open-metrics.ts';
import type { ProcessName } from './metrics/registry.ts';
import type { PoolUse } from './metrics/worker-metrics.ts';
import type { Tracing, TracingOptions } from './tracing/tracing.ts';

export { activeTraceparent, openLog, type TraceIds, traceOf } from './log/open-log.ts';
export type { AnsweredRequest, ExpectedRequests } from './metrics/http-metrics.ts';
export type { WorkerMetrics } from './metrics/worker-metrics.ts';
export type { Tracing } from './tracing/tracing.ts';

/** Answers what operates a process. */
interface Operations {
  readonly readiness: Readiness;
  readonly metrics: Metrics | null;
  /** Required of scrapes as a bearer token; null for none. */
  readonly token: string | null;
}

/** Where an answer to an operations path goes. */
type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Paths of liveness and readiness, which a public port may answer as well. */
export function isHealthPath(path: string): boolean {
  return path === '/livez' || path === '/readyz';
}

/** Answers `/livez` and `/readyz`: 200 or 503 with the reasons in JSON. */
export function answerHealth({ readiness }: Pick<Operations, 'readiness'>): Answering {
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      write(request, response, 405, 'application/json', '', { allow: 'GET, HEAD' });
      return;
    }
    if (pathOf(request) === '/livez') {
      write(request, response, 200, 'application/json', JSON.stringify({ status: 'live' }));
      return;
    }
    const report = await readiness.report();
    write(request, response, report.status === 'ready' ? 200 : 503, 'application/json', JSON.stringify(report));
  };
}

/** Answers `/metrics` in OpenMetrics to those who know the token. */
function answerMetrics({ metrics, token }: Pick<Operations, 'metrics' | 'token'>): Answering {
  return async (request, response) => {
    if (metrics === null) {
      await answerNotFound(request, response);
    } else if (token !== null && !isBearer(request, token)) {
      write(request, response, 401, 'text/plain', 'A token is required\n', { 'www-authenticate': 'Bearer' });
    } else {
      write(request, response, 200, metrics.registry.contentType, await metrics.registry.metrics());
    }
  };
}

/** A server for `/metrics`, `/livez` and `/readyz` on a port of its own. Resolves when it listens. */
async function serveOperations(operations: Operations, at: { port: number; hostname: string }): Promise<Server> {
  const health = answerHealth(operations);
  const metrics = answerMetrics(operations);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 15_000 }, (request, response) => {
    const path = pathOf(request);
    const answer = isHealthPath(path) ? health : path === '/metrics' ? metrics : answerNotFound;
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(at.port, at.hostname, listening);
  });
  return server;
}

/** Answers 404: what is not for the port it was asked at. */
export const answerNotFound: Answering = async (request, response) => write(request, response, 404, 'text/plain', 'Not found\n');

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function write(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Compares digests, which have one length whatever was sent. */
function isBearer({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

/** The variable that sets the port of each process for its metrics and health. */
const PORT_VARIABLES = {
  web: 'METRICS_PORT',
  worker: 'WORKER_METRICS_PORT',
  reporting: 'REPORTING_METRICS_PORT',
} as const satisfies Record<ProcessName, string>;

const OPERATIONS_SETTINGS = SETTINGS.pick({
  METRICS_PORT: true,
  WORKER_METRICS_PORT: true,
  REPORTING_METRICS_PORT: true,
  METRICS_HOST: true,
  METRICS_TOKEN: true,
});

/** The process whose operations are opened. */
export interface OperatedProcess {
  readonly process: ProcessName;
  readonly environment: Environment;
  readonly resources: CheckedResources & { readonly database: Pick<Database, 'pool' | 'batches'> };
  /** The pool that reports are read through, and how far it is behind the primary. */
  readonly replica?: { readonly pool: PoolUse; readonly readLagSeconds: () => Promise<number> };
  /** Checks beyond those of every process. */
  readonly checks?: Checks;
  readonly load?: () => ServerLoad;
  readonly expected?: ExpectedRequests;
}

/** The operations of a process. */
export interface RunningOperations extends Operations {
  close(): Promise<void>;
}

/**
 * Opens health and metrics of a process. The port of its own opens where its variable is set, on 127.0.0.1 unless `METRICS_HOST` is.
 * Without a port nothing is counted. Throws an `Error` that names the variable when the port is taken.
 */
export async function openOperations(operated: OperatedProcess): Promise<RunningOperations> {
  const { process, environment, resources, replica, checks: own } = operated;
  const checks = { ...processChecks(resources), ...own, ...(replica && replicaCheck(replica.readLagSeconds)) };
  const readiness = createReadiness(process, checks);
  const variable = PORT_VARIABLES[process];
  const {
    [variable]: port = null,
    METRICS_HOST: hostname,
    METRICS_TOKEN: token = null,
  } = readSettings(OPERATIONS_SETTINGS, environment);
  const metrics = port === null ? null : await loadMetrics(operated, async () => (await readiness.report()).status === 'ready');
  const operations: Operations = { readiness, metrics, token };
  const server =
    port === null
      ? null
      : await serveOperations(operations, { port, hostname }).catch((error: NodeJS.ErrnoException) => {
          const why =
            error.code === 'EADDRINUSE'
              ? 'another process has it: each process of a machine needs one of its own'
              : (error.code ?? 'error');
          throw new Error(`Port ${port} of ${variable} cannot be opened (${why}).`, { cause: error });
        });
  return {
    ...operations,
    async close() {
      metrics?.close();
      server?.closeAllConnections();
      await new Promise((closed) => (server === null ? closed(undefined) : server.close(closed)));
    },
  };
}

/** Loaded on demand: a process without metrics does not pay for them. */
async function loadMetrics({ process, resources, replica, load, expected }: OperatedProcess, isReady: () => Promise<boolean>) {
  const { openMetrics } = await import('./metrics/open-metrics.ts');
  return openMetrics({
    process,
    database: resources.database,
    isReady,
    secrets: resources.secrets.state,
    ...(load && { load }),
    ...(expected && { expected }),
    ...(replica && {
      reportsPool: replica.pool,
      replicaLagSeconds: () => replica.readLagSeconds().catch(() => null),
    }),
  });
}

const TRACING_SETTINGS = SETTINGS.pick({ OTEL_EXPORTER_OTLP_ENDPOINT: true, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: true });

const NONE: Tracing = { isOn: false, inSpan: (_name, _attributes, work) => work(), close: async () => undefined };

/**
 * Sends traces of requests, statements and calls to `OTEL_EXPORTER_OTLP_ENDPOINT`, by OTLP over HTTP. Without that variable nothing is
 * loaded. Call before the process opens its server and its pools.
 */
export async function startTracing(
  process: ProcessName,
  environment: Environment,
  options: TracingOptions = {},
): Promise<Tracing> {
  const settings = readSettings(TRACING_SETTINGS, environment);
  if (Object.values(settings).every((endpoint) => endpoint === undefined)) return NONE;
  const { startOtlpTracing } = await import('./tracing/otlp-tracing.ts');
  return startOtlpTracing(process, options);
}

/** Writes errors of background work to a log: warnings, and errors where the fault is this installation's own. */
export function logBackgroundErrors(log: Logger, words = 'trouble'): (error: unknown, doing: string) => void {
  return (error, doing) => log[error instanceof OwnFaultError ? 'error' : 'warn']({ error }, `${words} while ${doing}`);
}

/**
 * Writes a line for each operation at a gateway that is about a payment, and for each attempt to deliver an event, until the returned
 * function is called: the work of sweeps and deliveries has no line of a request or a job of its own.
 */
export function logPayments(log: Logger): () => void {
  const stops = [
    observeGatewayOperations(({ gateway, operation, outcome, reason, seconds }) => {
      if (workSubject()?.paymentId === undefined) return;
      log.info({ gateway, operation, outcome, reason: reason ?? undefined, seconds: rounded(seconds) }, 'gateway operation');
    }),
    observeDeliveryAttempts(({ eventId, type, outcome, givenUp, seconds }) => {
      log.info({ event_id: eventId, event_type: type, outcome, given_up: givenUp, seconds: rounded(seconds) }, 'delivery');
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
