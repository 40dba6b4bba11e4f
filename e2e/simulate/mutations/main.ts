import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runInLanes } from '../lanes.ts';
import type { MutationResult, MutationTask } from './level.ts';
import { MUTATIONS, type Mutation } from './list.ts';

/*
 * `npm run simulate:mutations`: puts one bug after the other into the product, in memory and in no file, and looks for what finds it: suites that
 * load the code, then worlds of the model, then whole worlds. Prints a row of a table for each. Exits with 1 when nothing finds one.
 */

const LEVELS = {
  suites: { program: new URL('../../../scripts/testing/mutations/suites-lane.ts', import.meta.url), each: 1, runs: 'suites' },
  model: { program: new URL('../model/mutation-lane.ts', import.meta.url), each: 100, runs: 'worlds of the model' },
  worlds: { program: new URL('worlds-lane.ts', import.meta.url), each: 40, runs: 'whole worlds' },
} as const;

const { values } = parseArgs({
  options: {
    by: { type: 'string', multiple: true, default: Object.keys(LEVELS) },
    only: { type: 'string', multiple: true },
    skip: { type: 'string', default: '0' },
    most: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    each: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const options = z
  .object({
    /** Levels to search with: the next only for bugs that those before have not found. */
    by: z.array(z.enum(['suites', 'model', 'worlds'])),
    /** Parts of names: one of them has to be in a bug's. */
    only: z.array(z.string()).optional(),
    /** Number of bugs to leave out at the beginning of the list, and to take then. */
    skip: z.coerce.number().int().min(0),
    most: z.coerce.number().int().min(1).optional(),
    /** For one bug at one level. */
    seconds: z.coerce.number().positive(),
    jobs: z.coerce.number().int().min(1).max(64),
    /** Payments of a world. */
    each: z.coerce.number().int().min(1).max(10_000).optional(),
  })
  .parse(values);

const { only, skip, most = MUTATIONS.length } = options;
const wanted = MUTATIONS.slice(skip, skip + most).filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
let left: readonly Mutation[] = wanted;
console.log('| bug | found by | after |\n|---|---|---:|');
for (const by of options.by) left = await search(by, left);
for (const { name } of left) console.log(`| ${name} | **nothing** | |`);
console.log(
  `\n${wanted.length - left.length} of ${wanted.length} bugs found, each within ${options.seconds} s of ${options.by.join(', ')}`,
);
process.exitCode = left.length === 0 ? 0 : 1;

/** Prints those that a level finds, and returns the others. */
async function search(by: keyof typeof LEVELS, mutations: readonly Mutation[]): Promise<readonly Mutation[]> {
  if (mutations.length === 0) return [];
  const { program, each, runs } = LEVELS[by];
  const queue = [...mutations];
  const found = new Set<Mutation>();
  await runInLanes<MutationTask, MutationResult>({
    program,
    lanes: Math.min(options.jobs, queue.length),
    next() {
      const mutation = queue.shift();
      return mutation === undefined ? null : { mutation, each: options.each ?? each, seconds: options.seconds };
    },
    take(result, { mutation }) {
      if (result.by === null) {
        console.error(`not found in ${result.runs} ${runs}, ${result.seconds.toFixed(0)} s: ${mutation.name}`);
        return true;
      }
      found.add(mutation);
      const after = by === 'suites' ? '' : `${result.runs} ${runs}, `;
      console.log(`| ${mutation.name} | ${result.by.replaceAll('|', '\\|')} | ${after}${result.seconds.toFixed(0)} s |`);
      return true;
    },
  });
  return mutations.filter((one) => !found.has(one));
}
