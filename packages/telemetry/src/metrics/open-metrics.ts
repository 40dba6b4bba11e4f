import type { Database } from '@switchyard/db';
import { Gauge } from 'prom-client';
import { reportArchiving } from './archive-metrics.ts';
import { reportBacklog } from './backlog-metrics.ts';
import { countRequests, type ExpectedRequests, type HttpMetrics, type ServerLoad } from './http-metrics.ts';
import { countPayments } from './payment-metrics.ts';
import { type PoolUse, reportPools } from './pool-metrics.ts';
import { createRegistry, type MetricsRegistry, type ProcessName } from './registry.ts';
import { reportReplica } from './replica-metrics.ts';
import { reportSecrets, type SecretsReading } from './secrets-metrics.ts';
import { countWork, type WorkerMetrics } from './worker-metrics.ts';

/** The metrics of a process. */
export interface Metrics {
  readonly registry: MetricsRegistry;
  /** Null in a process that answers no requests. */
  readonly http: HttpMetrics | null;
  /** Null in a process that runs no jobs. */
  readonly work: WorkerMetrics | null;
  /** Stops counting. */
  close(): void;
}

/** Sources of a process's metrics. */
export interface MetricsSources {
  readonly process: ProcessName;
  readonly database: Pick<Database, 'pool' | 'batches'>;
  /** The pool that reports are read through, where the process has one. */
  readonly reportsPool?: PoolUse;
  readonly replicaLagSeconds?: () => Promise<number | null>;
  readonly load?: () => ServerLoad;
  readonly expected?: ExpectedRequests;
  /** As `/readyz` answers. Never rejects. */
  readonly isReady: () => Promise<boolean>;
  readonly secrets?: SecretsReading;
}

/** Opens the metrics of a process: those that every process has, and those of its own work. */
export function openMetrics(sources: MetricsSources): Metrics {
  const { process, database, reportsPool, replicaLagSeconds, isReady } = sources;
  const { secrets = () => ({ wrong: [], unreadableAccounts: 0 }) } = sources;
  const { load = () => ({ inFlight: 0, waiting: 0 }), expected = { importances: [], routes: [] } } = sources;
  const registry = createRegistry(process);
  reportPools(registry, { main: database.pool, batches: database.batches, ...(reportsPool && { reports: reportsPool }) });
  const stop = countPayments(registry);
  const http = process === 'worker' ? null : countRequests(registry, { load, expected });
  const work = process === 'worker' ? countWork(registry) : null;
  if (process === 'worker') {
    reportBacklog(registry, database);
    reportArchiving(registry, database);
  }
  if (replicaLagSeconds !== undefined) reportReplica(registry, replicaLagSeconds);
  reportSecrets(registry, secrets);
  new Gauge({
    name: 'switchyard_ready',
    help: '1 while /readyz answers 200, 0 otherwise.',
    registers: [registry],
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
  return { registry, http, work, close: stop };
}
