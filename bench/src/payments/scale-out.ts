import type pg from 'pg';
import { startWebProcess, type WebProcess } from './cold-start.ts';
import type { Bench, BenchTarget } from './environment.ts';
import { limitCpu } from './limit-cpu.ts';
import { type Measuring, measureOperation } from './measure.ts';
import type { Operation } from './options.ts';
import { type Summary, servingCpuUs } from './summary.ts';

/** Cost of one operation with several web processes, beside one of them. */
export interface ScaledOut {
  readonly processes: number;
  /** The share of a processor that each web process might use; null without a limit. */
  readonly webCpu: number | null;
  readonly operation: Operation;
  /** Throughput of all ÷ throughput of one. */
  readonly ratio: number;
  readonly perSecond: number;
  /** CPU of everything that serves, in microseconds of an operation; null where it cannot be read. */
  readonly cpuUs: number | null;
  readonly oneCpuUs: number | null;
  /** Of the moments looked at, the mean number of connections that waited for another's lock. */
  readonly waitingForLocks: number;
}

const OPERATIONS = ['initiate', 'get'] as const;
const SAMPLE_MS = 100;

/** How many web processes, and what each of them may use. */
export interface ScaleOutOptions {
  readonly processes: number;
  /** The share of a processor that each web process may use; null for all it can get. */
  readonly webCpu: number | null;
}

/**
 * Measures initiate and get with several web processes in turn with one. Where the processors are the limit, more processes cannot
 * answer more; whether they get into each other's way shows in the CPU of an operation, and in connections that wait for locks.
 * Processes that may use only a share of a processor each leave the rest to the database and the load generator, as on machines
 * of their own.
 */
export async function measureScaleOut(
  bench: Bench,
  { processes, webCpu }: ScaleOutOptions,
  measuring: Measuring,
  tell: (line: string) => void,
): Promise<ScaledOut[]> {
  const started: WebProcess[] = [];
  let unlimit = (): void => undefined;
  try {
    while (started.length < processes - 1) started.push(await startWebProcess(bench));
    const { product } = bench;
    const single = { ...product.processes.single };
    for (const [at, { pid }] of started.entries()) single[`web ${at + 2}`] = pid;
    if (webCpu !== null) unlimit = limitCpu([product.processes.single.web ?? 0, ...started.map(({ pid }) => pid)], webCpu);
    const many: BenchTarget = {
      ...product,
      name: 'product',
      origins: [...product.origins, ...started.map(({ origin }) => origin)],
      processes: { ...product.processes, single },
    };
    const scaled: ScaledOut[] = [];
    for (const operation of OPERATIONS) {
      const locks = sampleLocks(bench.pool);
      const summary = await measureOperation({ ...bench, product: many, floor: product }, operation, measuring, tell);
      scaled.push({ webCpu, ...scaledOut(processes, operation, summary, await locks.end()) });
    }
    return scaled;
  } finally {
    unlimit();
    await Promise.all(started.map((web) => web.close()));
  }
}

function scaledOut(
  processes: number,
  operation: Operation,
  summary: Summary,
  waitingForLocks: number,
): Omit<ScaledOut, 'webCpu'> {
  const { ratio, product, floor } = summary;
  const { perSecond } = product;
  const [cpuUs, oneCpuUs] = [product, floor].map((side) => servingCpuUs(side.cpuUs));
  return { processes, operation, ratio, perSecond, cpuUs: cpuUs ?? null, oneCpuUs: oneCpuUs ?? null, waitingForLocks };
}

/** Counts, ten times a second until its end, the connections that wait for a lock; ends with the mean. */
function sampleLocks(pool: pg.Pool): { end(): Promise<number> } {
  let waiting = 0;
  let samples = 0;
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    const { rows } = await pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    );
    waiting += rows[0]?.count ?? 0;
    samples += 1;
  };
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, SAMPLE_MS);
  return {
    async end() {
      clearInterval(timer);
      await reading;
      return samples === 0 ? 0 : waiting / samples;
    },
  };
}
