import type { Database } from '@switchyard/db';
import { type Archiving, readArchiving } from '@switchyard/runtime/archiving';
import { Gauge } from 'prom-client';
import { cached, reportBacklog } from './backlog-metrics.ts';
import { countRequests, type ExpectedRequests, type HttpMetrics, type ServerLoad } from './http-metrics.ts';
import { countPayments } from './payment-metrics.ts';
import { createRegistry, type MetricsRegistry, type ProcessName } from './registry.ts';
import { countWork, type PoolUse, reportPools, type WorkerMetrics } from './worker-metrics.ts';

const SECRETS = ['encryption_keys', 'key_pepper'] as const;

/** State of a process's own secrets. */
type SecretsReading = () => {
  readonly wrong: readonly (typeof SECRETS)[number][];
  readonly unreadableAccounts: number;
};

/** Reports whether the secrets of this process are those that the stored data was made with. */
function reportSecrets(registry: MetricsRegistry, read: SecretsReading): void {
  const registers = [registry];
  new Gauge({
    name: 'switchyard_secret_wrong',
    help: '1 while a secret of this process is not the one that the stored data was made with, otherwise 0.',
    labelNames: ['secret'],
    registers,
    collect() {
      const { wrong } = read();
      for (const secret of SECRETS) this.set({ secret }, wrong.includes(secret) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'switchyard_gateway_accounts_unreadable',
    help: 'Enabled gateway accounts whose stored credentials this process cannot use.',
    registers,
    collect() {
      this.set(read().unreadableAccounts);
    },
  });
}

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

/** Metrics of the database that reports are read from. `readLagSeconds` gives null when it cannot be read. */
function reportReplica(registry: MetricsRegistry, readLagSeconds: () => Promise<number | null>): void {
  new Gauge({
    name: 'switchyard_replica_lag_seconds',
    help: 'How far the database that reports are read from is behind; 0 for the primary itself.',
    registers: [registry],
    async collect() {
      const lag = await readLagSeconds();
      this.remove();
      if (lag !== null) this.set(lag);
    },
  });
}

/** Metrics of how the database server archives its log, read by a worker when it is scraped; none where that cannot be read. */
function reportArchiving(registry: MetricsRegistry, database: Pick<Database, 'pool'>): void {
  const read = cached(() => readArchiving(database));
  const gauge = (name: string, help: string, figure: (archiving: Archiving) => number | null) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const archiving = await read();
        const value = archiving === null ? null : figure(archiving);
        this.remove();
        if (value !== null) this.set(value);
      },
    });
  };
  gauge('switchyard_log_archiving', '1 while the database server is set up to archive its log, otherwise 0.', ({ archives }) =>
    Number(archives),
  );
  gauge(
    'switchyard_log_archive_failing',
    '1 while the last segment of the log could not be archived, otherwise 0.',
    ({ archives, failing }) => Number(archives && failing),
  );
  gauge(
    'switchyard_log_archived_age_seconds',
    'How long the last segment of the log was archived ago; infinite before the first.',
    ({ archives, archivedSeconds }) => (archives ? (archivedSeconds ?? Number.POSITIVE_INFINITY) : null),
  );
  gauge(
    'switchyard_base_backup_age_seconds',
    'How long the last base backup was taken ago; infinite before the first. Needs the role pg_monitor.',
    ({ archives, seesBackups, baseSeconds }) => (archives && seesBackups ? (baseSeconds ?? Number.POSITIVE_INFINITY) : null),
  );
}
