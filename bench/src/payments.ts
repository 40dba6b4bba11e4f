/**
 * Measures the path of a payment: the product as `npm start` runs it, on data of its own, against a floor written by hand for these
 * requests alone (`payments/floor-main.ts`), in turns on the same PostgreSQL and the same gateway that answers in 5 ms.
 *
 *   npm run bench -- [--operations initiate,get] [--pairs 3] [--seconds 6] [--connections 64] [--json FILE]
 *
 * Each figure is the median over pairs of turns, and each cost that of one operation. A turn lasts from a quiet moment to the next, so
 * that what an operation sets off in other processes is counted: the worker's roll-ups, but not its question about an open payment
 * a minute later, which is an operation of its own. Throughput depends on what else the machine does; CPU, statements and
 * write-ahead log hardly do. The server's statistics of statements are on, which costs both sides the same few microseconds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { startBench } from './payments/environment.ts';
import { measureOperation } from './payments/operations.ts';
import { type BenchOptions, readOptions } from './payments/options.ts';
import { readMemory } from './payments/processes.ts';
import { describeMemory, describeOperations } from './payments/report.ts';
import type { Summary } from './payments/summary.ts';

const RESULTS = join(import.meta.dirname, '..', 'results');

async function run(options: BenchOptions): Promise<void> {
  const tell = (line: string): void => console.log(`  ${line}`);
  const bench = await startBench(options.latency, tell);
  try {
    const operations: Record<string, Summary> = {};
    for (const operation of options.operations) operations[operation] = await measureOperation(bench, operation, options, tell);
    const memory = readMemory(bench.product.processes);
    console.log(`\n${describeOperations(operations)}\n\n${describeMemory(memory)}`);
    const file = options.json ?? join(RESULTS, `${new Date().toISOString().replaceAll(':', '-')}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ at: new Date(), options, operations, memory }, null, 2)}\n`);
    console.log(`\nAll figures: ${file}`);
  } finally {
    await bench.close();
  }
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, () => process.exit(130));

try {
  await run(readOptions(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  console.error(error instanceof z.ZodError ? z.prettifyError(error) : error);
  process.exit(error instanceof z.ZodError ? 2 : 1);
}
