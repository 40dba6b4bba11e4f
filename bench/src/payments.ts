/**
 * Measures the path of a payment: the product as `npm start` runs it, on data of its own, against a floor written by hand for these
 * requests alone (`payments/floor`), in alternating rounds on the same PostgreSQL and the same gateway, which answers in 5 ms.
 *
 *   npm run bench
 *   npm run bench -- --operations initiate,get [--pairs 3] [--seconds 6] [--warmup 2] [--connections 64] [--latency 5]
 *     [--merchants 200 [--traffic equal,zipf]]
 *     [--rate 20,100] [--growth 10000000] [--json FILE]
 *
 * `--merchants` is the number of merchants that initiate payments, equally often or by Zipf's law, or first one and then the other.
 * Operations: `initiate`, `get`, `verify` of a payment that was paid, `webhook` of a gateway, `delivery` of an event to a merchant, `check`
 * of an open payment that is overdue. `--rate` measures the latency of initiate at so many a second, from the moment each request was due;
 * `--growth` measures initiate, get and verify again on tables of 10^5, 10^6 … up to so many payments. Without options everything is
 * measured, to 10^5 payments, and memory.
 *
 * Each figure is the median over pairs of rounds, and each cost that of one operation. A round lasts from a quiet moment to the next, so
 * that it counts the work of an operation in other processes (roll-ups, the follow-up of a webhook), but not the status check of an open
 * payment a minute later, which is `check`. Throughput depends on what else the machine does; CPU, statements and write-ahead log hardly
 * do. The server's statistics of statements are on, which costs both sides a few microseconds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Bench, SEEDED, startBench } from './payments/environment.ts';
import { type Grown, growTo, growthLevels, type Measuring, measureGrown, measureOperation } from './payments/measure.ts';
import { type BenchOptions, pairsOf, readOptions } from './payments/options.ts';
import { readMemory } from './payments/processes.ts';
import { describeGrowth, describeIdle, describeMemory, describeOperations } from './payments/report.ts';
import { measureIdle } from './payments/round.ts';
import type { Summary } from './payments/summary.ts';

const RESULTS = join(import.meta.dirname, '..', 'results');
const IDLE_SECONDS = 4;
const REST_MS = 60_000;
/** Long enough for a hundredth of the requests to be some at a low rate. */
const OPEN_SECONDS_MIN = 10;
/** More than requests are ever under way at the rates measured: none waits for another's answer. */
const OPEN_CONNECTIONS = 512;

const tell = (line: string): void => console.log(`  ${line}`);

async function run(options: BenchOptions): Promise<void> {
  const bench = await startBench(options, tell);
  stop = bench.close;
  try {
    const idle = await measureIdle(bench.product.processes, IDLE_SECONDS);
    const memory: Record<string, ReturnType<typeof readMemory>> = { started: readMemory(bench.product.processes) };
    const operations = await measureOperations(bench, options);
    memory['after load'] = readMemory(bench.product.processes);
    console.log(`\n${describeOperations(operations)}\n`);

    const growth = await measureGrowth(bench, options, async () => {
      memory['a minute later'] = readMemory(bench.product.processes);
    });
    if (growth.length > 0) console.log(`\n${describeGrowth([{ payments: SEEDED, operations }, ...growth])}\n`);
    console.log(`${describeMemory(memory)}\n${describeIdle(idle)}`);

    const file = options.json ?? join(RESULTS, `${new Date().toISOString().replaceAll(':', '-')}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ at: new Date(), options, operations, growth, idle, memory }, null, 2)}\n`);
    console.log(`\nAll figures: ${file}`);
  } finally {
    await bench.close();
  }
}

function measuringOf({ seconds, warmup, connections }: BenchOptions, pairs: number): Measuring {
  return { pairs, seconds, warmupSeconds: warmup, pace: { kind: 'closed', connections } };
}

async function measureOperations(bench: Bench, options: BenchOptions): Promise<Record<string, Summary>> {
  const operations: Record<string, Summary> = {};
  for (const operation of options.operations) {
    for (const traffic of options.traffic) {
      const name = options.traffic.length === 1 ? operation : `${operation}, ${traffic}`;
      const load: Bench['load'] = (plan, expected) => bench.load({ ...plan, traffic }, expected);
      operations[name] = await measureOperation(
        { ...bench, load },
        operation,
        measuringOf(options, pairsOf(options, operation)),
        tell,
      );
    }
  }
  for (const perSecond of options.rate) {
    const pace = { kind: 'open', perSecond, connections: OPEN_CONNECTIONS } as const;
    const open = { ...measuringOf(options, 1), seconds: Math.max(options.seconds, OPEN_SECONDS_MIN), pace };
    operations[`initiate at ${perSecond}/s`] = await measureOperation(bench, 'initiate', open, tell);
  }
  return operations;
}

/** Loads payments while the product idles, which is also when its memory at rest is read: `onIdle`, after a minute. */
async function measureGrowth(bench: Bench, options: BenchOptions, onIdle: () => Promise<void>): Promise<Grown[]> {
  const startedAt = performance.now();
  const grown: Grown[] = [];
  let payments = SEEDED;
  for (const level of growthLevels(options.growth)) {
    tell(`loading ${level.toLocaleString('en-US')} payments`);
    await growTo(bench, level, payments);
    payments = level;
    if (grown.length === 0 && options.all) await idle();
    grown.push(await measureGrown(bench, level, measuringOf(options, 1), tell));
  }
  if (grown.length === 0 && options.all) await idle();
  return grown;

  async function idle(): Promise<void> {
    await pause(Math.max(0, startedAt + REST_MS - performance.now()));
    await onIdle();
  }
}

let stop = async (): Promise<void> => undefined;
let stopping: Promise<void> | null = null;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
  process.once(name, () => {
    stopping ??= stop().finally(() => process.exit(130));
  });
}

try {
  await run(readOptions(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  // The running measurement fails when it is stopped.
  if (stopping !== null) await stopping;
  console.error(error instanceof z.ZodError ? z.prettifyError(error) : error);
  process.exit(error instanceof z.ZodError ? 2 : 1);
}
