import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runInLanes } from '../lanes.ts';
import type { ModelResult, ModelTask } from './model-lane.ts';

/*
 * `npm run simulate:model -- --seed 7 --payments 1000000`: worlds of payments over tables in memory, one seed after the other, until there were
 * as many payments. Ends at the first seed that breaks an invariant, with the history of one payment.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    payments: { type: 'string', default: '1000000' },
    each: { type: 'string', default: '100' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seconds: { type: 'string' },
    'no-shrinking': { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
  },
});
const options = z
  .object({
    seed: z.coerce.number().int().min(0),
    payments: z.coerce.number().int().min(1).max(1_000_000_000),
    /** Payments of one world. */
    each: z.coerce.number().int().min(1).max(10_000),
    /** Processes that run worlds at the same time. */
    jobs: z.coerce.number().int().min(1).max(64),
    /** Begins no further worlds this long after the first. */
    seconds: z.coerce.number().positive().optional(),
  })
  .parse(values);

/** Worlds that a process runs before it asks for more. */
const WORLDS_AT_ONCE = 20;

const begunAt = performance.now();
let firstAt: number | null = null;
const results: ModelResult[] = [];
const worldsMax = Math.ceil(options.payments / options.each);
let planned = 0;
let broken = 0;

await runInLanes<ModelTask, ModelResult>({
  program: new URL('model-lane.ts', import.meta.url),
  lanes: Math.min(options.jobs, worldsMax),
  next() {
    // Counted from the first worlds on: bundling the product takes as long as it takes.
    firstAt ??= performance.now();
    const isTimeUp = options.seconds !== undefined && performance.now() - firstAt > options.seconds * 1_000;
    if (isTimeUp || planned >= worldsMax) return null;
    const worlds = Math.min(WORLDS_AT_ONCE, worldsMax - planned);
    const task = {
      seed: options.seed + planned,
      worlds,
      payments: options.each,
      twice: values.twice,
      shrinks: !values['no-shrinking'],
    };
    planned += worlds;
    return task;
  },
  take(result) {
    results.push(result);
    if (result.broken === null) return true;
    broken += 1;
    console.log(result.broken.join('\n'));
    return values['keep-going'];
  },
});
const sumOf = (of: (result: ModelResult) => number): number => results.reduce((sum, result) => sum + of(result), 0);
const worlds = sumOf((result) => result.worlds);
const cpuMs = sumOf((result) => result.cpuMs);
const payments = worlds * options.each;
console.log(
  [
    `seeds from ${options.seed}: ${payments} payments in ${worlds} worlds, ${broken === 0 ? 'no violation' : `${broken} with violations`}`,
    `${((performance.now() - begunAt) / 1_000).toFixed(1)} s on ${options.jobs} processes`,
    `${(cpuMs / 1_000).toFixed(1)} s of CPU time for the worlds: ${Math.round((1_000 * payments) / cpuMs)} payments in a second of it`,
    `${(sumOf((result) => result.virtualMs) / 86_400_000).toFixed(0)} days of virtual time, ${sumOf((result) => result.events)} events, ${sumOf((result) => result.statements)} statements, ${sumOf((result) => result.crashes)} crashes`,
  ].join('\n'),
);
process.exitCode = broken === 0 ? 0 : 1;
