import type { Database } from '@switchyard/db';
import { type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';
import { type CheckedResources, processChecks, replicaCheck } from './health/checks.ts';
import { type Checks, createReadiness } from './health/readiness.ts';
import type { ExpectedRequests, ServerLoad } from './metrics/http-metrics.ts';
import type { PoolUse } from './metrics/pool-metrics.ts';
import type { ProcessName } from './metrics/registry.ts';
import { type Operations, serveOperations } from './operations-server.ts';

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
