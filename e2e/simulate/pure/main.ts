import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runInLanes } from '../lanes.ts';
import type { PureResult, PureTask } from './lane.ts';

/*
 * `npm run simulate:pure -- --seed 7 --payments 1000000`: the product's decisions alone, in worlds of payments, one seed after the other. Ends at
 * the first seed that breaks an invariant, with what is true of one payment and what was done about it.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    payments: { type: 'string', default: '1000000' },
    each: { type: 'string', default: '100' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seconds: { type: 'string' },
    'keep-going': { type: 'boolean', default: false },
  },
});
const options = z
  .object({
    seed: z.coerce.number().int().min(0),
    payments: z.coerce.number().int().min(1),
    each: z.coerce.number().int().min(1).max(1_000),
    jobs: z.coerce.number().int().min(1).max(64),
    seconds: z.coerce.number().positive().optional(),
  })
  .parse(values);

const WORLDS_AT_ONCE = 50;
const worldsMax = Math.ceil(options.payments / options.each);
const results: PureResult[] = [];
const begunAt = performance.now();
let firstAt: number | undefined;
let planned = 0;
let broken = 0;

await runInLanes<PureTask, PureResult>({
  program: new URL('lane.ts', import.meta.url),
  lanes: Math.min(options.jobs, worldsMax),
  next() {
    firstAt ??= performance.now();
    const isTimeUp = options.seconds !== undefined && performance.now() - firstAt > options.seconds * 1_000;
    if (isTimeUp || planned >= worldsMax) return null;
    const worlds = Math.min(WORLDS_AT_ONCE, worldsMax - planned);
    const task = { seed: options.seed + planned, worlds, payments: options.each };
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

const sumOf = (of: (result: PureResult) => number): number => results.reduce((sum, result) => sum + of(result), 0);
const worlds = sumOf((result) => result.worlds);
const payments = worlds * options.each;
const cpuMs = sumOf((result) => result.cpuMs);
console.log(
  [
    `seeds from ${options.seed}: ${payments} payments in ${worlds} worlds, ${broken === 0 ? 'no violation' : `${broken} with violations`}`,
    `${((performance.now() - begunAt) / 1_000).toFixed(1)} s on ${options.jobs} processes`,
    `${(cpuMs / 1_000).toFixed(1)} s of CPU time: ${Math.round((1_000 * payments) / cpuMs)} payments in a second of it, ${(sumOf((result) => result.steps) / payments).toFixed(1)} steps for a payment`,
  ].join('\n'),
);
process.exitCode = broken === 0 ? 0 : 1;
