import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runInLanes } from '../lanes.ts';
import { MUTATIONS } from './list.ts';
import type { MutationResult, MutationTask } from './mutation-lane.ts';

/*
 * `npm run simulate:mutations`: puts one bug after the other into the product, in memory and in no file, and runs worlds until the simulator
 * finds it. Prints a row of a table for each. Exits with 1 when one is found with none of the seeds.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    each: { type: 'string', default: '12' },
    only: { type: 'string', multiple: true },
    skip: { type: 'string', default: '0' },
    /** Searches in worlds of the model. */
    model: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const options = z
  .object({
    /** Most seeds for one bug. */
    seeds: z.coerce.number().int().min(1),
    each: z.coerce.number().int().min(1),
    /** Parts of names: one of them has to be in a bug's. */
    only: z.array(z.string()).optional(),
    /** How many of the list to leave out at its beginning. */
    skip: z.coerce.number().int().min(0),
    /** Most seconds for one bug. */
    seconds: z.coerce.number().positive().optional(),
    jobs: z.coerce.number().int().min(1).max(64),
  })
  .parse(values);

const wanted = MUTATIONS.slice(options.skip).filter(({ name }) => options.only?.some((part) => name.includes(part)) ?? true);
const left = [...wanted];
let found = 0;
console.log('| bug | worlds | CPU seconds | what it broke |\n|---|---:|---:|---|');
await runInLanes<MutationTask, MutationResult>({
  program: values.model ? new URL('../model/mutation-lane.ts', import.meta.url) : new URL('mutation-lane.ts', import.meta.url),
  lanes: Math.min(options.jobs, wanted.length),
  next() {
    const mutation = left.shift();
    const { seeds, each, seconds = null } = options;
    return mutation === undefined ? null : { mutation, seeds, each, seconds };
  },
  take(result, { mutation }) {
    if (result.found !== null) found++;
    const broken = result.found === null ? '**not found**' : result.found.kinds.join(', ');
    console.log(`| ${mutation.name} | ${result.worlds} | ${(result.cpuMs / 1_000).toFixed(0)} | ${broken} |`);
    return true;
  },
});
console.log(
  `\n${found} of ${wanted.length} bugs found with worlds of ${options.each} payments, seeds 1 to at most ${options.seeds}`,
);
process.exitCode = found === wanted.length ? 0 : 1;
