import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { costsBetween, type PostgresCosts, readPageBytes, readPostgresCounts } from './postgres-costs.ts';
import { type MeasuredProcesses, readCpu } from './processes.ts';

/** Result of one side in one round. Its costs are those of each operation. */
export interface Round {
  readonly operations: number;
  readonly perSecond: number;
  /** Milliseconds; null where no caller waits for an answer. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  /** Mean bytes of an answer; null where there are no answers. */
  readonly answerBytes: number | null;
  /** CPU time by process, in microseconds; null for one that cannot be read. */
  readonly cpuUs: Readonly<Record<string, number | null>>;
  readonly postgres: PostgresCosts;
  /** False when the processes were still busy a long time after the last answer: the costs leave out what they did later. */
  readonly settled: boolean;
}

/** Operations of a round, as the generator counted them. */
export interface Done extends Pick<Round, 'latency' | 'answerBytes'> {
  readonly operations: number;
  readonly seconds: number;
}

const QUIET_CHECK_MS = 400;
/** Share of one processor: the product's idle processes together take about a twentieth. */
const QUIET_SHARE = 0.15;
const QUIET_LIMIT_MS = 30_000;

/**
 * Measures one round from a quiet moment to the next, so that everything an operation sets off, in other processes and later too, is
 * counted, and nothing that another round set off.
 */
export async function measureRound(pool: pg.Pool, processes: MeasuredProcesses, act: () => Promise<Done>): Promise<Round> {
  await untilQuiet(processes);
  const countsBefore = await readPostgresCounts(pool);
  const cpuBefore = readCpu(processes);
  const { operations, seconds, latency, answerBytes } = await act();
  const settled = await untilQuiet(processes);
  const cpuAfter = readCpu(processes);
  const countsAfter = await readPostgresCounts(pool);
  const pageBytes = await readPageBytes(pool, countsBefore, countsAfter);
  if (operations === 0) throw new Error('nothing was done in this round');
  const cpuUs = cpuOfEach(cpuBefore, cpuAfter, operations);
  const postgres = costsBetween(countsBefore, countsAfter, pageBytes, operations);
  return { operations, perSecond: operations / seconds, latency, answerBytes, cpuUs, postgres, settled };
}

/**
 * Waits until the processes have little to do beyond what they always do, in processors; false when they still work after half a minute.
 */
export async function untilQuiet(processes: MeasuredProcesses, always = 0): Promise<boolean> {
  const deadline = performance.now() + QUIET_LIMIT_MS;
  let before = total(processes);
  let at = performance.now();
  while (performance.now() < deadline) {
    await pause(QUIET_CHECK_MS);
    const now = performance.now();
    const after = total(processes);
    if (after - before <= (now - at) * 1_000 * (always + QUIET_SHARE)) return true;
    [before, at] = [after, now];
  }
  return false;
}

function total(processes: MeasuredProcesses): number {
  return Object.values(readCpu(processes)).reduce((sum: number, us) => sum + (us ?? 0), 0);
}

/** CPU time by process of a second without operations, in microseconds: included in the costs of every round, so long as it takes. */
export async function measureIdle(processes: MeasuredProcesses, seconds: number): Promise<Round['cpuUs']> {
  await untilQuiet(processes);
  const before = readCpu(processes);
  await pause(seconds * 1_000);
  return cpuOfEach(before, readCpu(processes), seconds);
}

/** CPU time of each of so many operations, or seconds. */
function cpuOfEach(before: Round['cpuUs'], after: Round['cpuUs'], count: number): Round['cpuUs'] {
  return Object.fromEntries(
    Object.entries(after).map(([name, us]) => {
      const earlier = before[name] ?? null;
      return [name, us === null || earlier === null ? null : (us - earlier) / count];
    }),
  );
}
