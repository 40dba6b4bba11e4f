import { type Bench, type BenchTarget, SEEDED } from './environment.ts';
import type { LoadPlan } from './load/plan.ts';
import { StartedEarlyError, workOf } from './operations.ts';
import type { Operation } from './options.ts';
import { measureRound, type Round, untilQuiet } from './round.ts';
import { seedPayments } from './seed-payments.ts';
import { type Pair, type Summary, summarise } from './summary.ts';

/** How an operation is measured. */
export interface Measuring {
  readonly pairs: number;
  readonly seconds: number;
  /** Before the first round of either side. */
  readonly warmupSeconds: number;
  readonly pace: LoadPlan['pace'];
}

const TRIES_MAX = 5;

/** Measures an operation in pairs of rounds, product and floor after each other. */
export async function measureOperation(
  bench: Bench,
  operation: Operation,
  measuring: Measuring,
  tell: (line: string) => void,
): Promise<Summary> {
  const pairs: Pair[] = [];
  for (let pair = 1; pair <= measuring.pairs; pair++) {
    if (pair === 1) for (const target of [bench.product, bench.floor]) await warmUp(bench, target, operation, measuring);
    const product = await runRound(bench, bench.product, operation, measuring);
    const floor = await runRound(bench, bench.floor, operation, measuring);
    pairs.push({ product, floor });
    const rate = ({ perSecond, settled }: Round) => `${Math.round(perSecond)}/s${settled ? '' : ' (still busy)'}`;
    tell(`${operation} ${pair}/${measuring.pairs}: ${bench.product.name} ${rate(product)}, ${bench.floor.name} ${rate(floor)}`);
  }
  return summarise(pairs);
}

async function warmUp(bench: Bench, target: BenchTarget, operation: Operation, measuring: Measuring): Promise<void> {
  const { warmupSeconds: seconds, pace } = measuring;
  if (seconds === 0) return;
  // Processes that have just started may shed what is too much for them.
  const load: Bench['load'] = (plan) => bench.load(plan, 'overload');
  await inTime(async () => {
    const work = workOf({ ...bench, load }, target, operation, pace);
    await work.prepare(seconds);
    const done = await work.act(seconds);
    await untilQuiet(target.processes);
    await work.check(done);
  });
}

function runRound(bench: Bench, target: BenchTarget, operation: Operation, { seconds, pace }: Measuring): Promise<Round> {
  return inTime(async () => {
    const work = workOf(bench, target, operation, pace);
    await work.prepare(seconds);
    const round = await measureRound(bench.pool, target.processes, () => work.act(seconds));
    await work.check(round);
    return round;
  });
}

/** Does it again when the machine was too busy to be ready in time. */
async function inTime<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof StartedEarlyError) || tries === TRIES_MAX) throw error;
    }
  }
}

/** Cost of operations on a table of so many payments. */
export interface Grown {
  readonly payments: number;
  readonly operations: Readonly<Record<string, Summary>>;
}

const OPERATIONS = ['initiate', 'get', 'verify'] as const;
const LEVELS = [100_000, 1_000_000, 10_000_000];
const A_YEAR_S = 365 * 86_400;
const AN_HOUR_S = 3_600;

/** The sizes of table that are measured, the smallest first: at most this many payments. */
export function growthLevels(max: number): number[] {
  return [...LEVELS.filter((level) => level < max), ...(max > SEEDED ? [max] : [])];
}

/** Loads payments of the past year of the merchant until there are so many. The floor stays as it is: what both are measured by. */
export async function growTo(bench: Bench, payments: number, before: number): Promise<void> {
  const { merchantId } = bench.merchant;
  const year = { label: `growth-${payments}`, ageSeconds: [A_YEAR_S, AN_HOUR_S], status: 'SUCCESS', dueAt: null } as const;
  const { templateId } = bench;
  await seedPayments(bench.pool, { schema: 'public', merchantId, templateId, count: payments - before, ...year });
}

/** Measures initiate, get and verify at the present size. */
export async function measureGrown(
  bench: Bench,
  payments: number,
  measuring: Measuring,
  tell: (line: string) => void,
): Promise<Grown> {
  const operations: Record<string, Summary> = {};
  for (const operation of OPERATIONS) operations[operation] = await measureOperation(bench, operation, measuring, tell);
  return { payments, operations };
}
