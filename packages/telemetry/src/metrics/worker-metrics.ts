import { Counter, Gauge, Histogram } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts what a worker does. */
export interface WorkerMetrics {
  /** Begins the series of jobs at 0, so that the first one is an increase. */
  expectJobs(tasks: readonly string[]): void;
  /** The same for recurring work. */
  expectRecurring(name: string): void;
  job(task: string, outcome: 'done' | 'retried' | 'failed', seconds: number): void;
  /** One run of recurring work: a sweep, or a step such as updating the roll-ups. */
  recurring(name: string, outcome: 'done' | 'failed', seconds: number): void;
}

/** Metrics of jobs and recurring work. */
export function countWork(registry: MetricsRegistry): WorkerMetrics {
  const registers = [registry];
  const jobs = new Counter({
    name: 'switchyard_jobs_total',
    help: 'Runs of jobs from the queue: done, retried later, or failed for good.',
    labelNames: ['task', 'outcome'],
    registers,
  });
  const jobDurations = new Histogram({
    name: 'switchyard_job_duration_seconds',
    help: 'Duration of jobs from the queue.',
    labelNames: ['task'],
    buckets: BUCKETS_S,
    registers,
  });
  const runs = new Counter({
    name: 'switchyard_recurring_runs_total',
    help: 'Runs of recurring work: sweeps, roll-ups, probes, scheduled rules, reconciliations and settlements.',
    labelNames: ['name', 'outcome'],
    registers,
  });
  const runDurations = new Histogram({
    name: 'switchyard_recurring_duration_seconds',
    help: 'Duration of recurring work.',
    labelNames: ['name'],
    buckets: BUCKETS_S,
    registers,
  });
  return {
    expectJobs(tasks) {
      for (const task of tasks) {
        for (const outcome of ['done', 'retried', 'failed'] as const) jobs.inc({ task, outcome }, 0);
        jobDurations.zero({ task });
      }
    },
    expectRecurring(name) {
      for (const outcome of ['done', 'failed'] as const) runs.inc({ name, outcome }, 0);
      runDurations.zero({ name });
    },
    job(task, outcome, seconds) {
      jobs.inc({ task, outcome });
      jobDurations.observe({ task }, seconds);
    },
    recurring(name, outcome, seconds) {
      runs.inc({ name, outcome });
      runDurations.observe({ name }, seconds);
    },
  };
}

/** Numbers of connections in a pool. */
export interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Metrics of this process's connection pools by name. */
export function reportPools(registry: MetricsRegistry, pools: Readonly<Record<string, PoolUse>>): void {
  const registers = [registry];
  new Gauge({
    name: 'switchyard_db_pool_connections',
    help: 'Connections of a pool of this process, by whether they are in use.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'used' }, totalCount - idleCount);
      }
    },
  });
  new Gauge({
    name: 'switchyard_db_pool_waiting',
    help: 'Callers that wait for a connection of the pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
    },
  });
}
