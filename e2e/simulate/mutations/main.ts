import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runInLanes } from '../lanes.ts';
import {
  ELSEWHERE,
  type Findings,
  findingsOf,
  isFound,
  LEVELS,
  type Level,
  nothingIn,
  readDocument,
  recordFinding,
} from './document.ts';
import type { MutationResult, MutationTask } from './level.ts';
import { MUTATIONS, type Mutation } from './list.ts';

/*
 * `npm run simulate:mutations`: puts one bug after the other into the product, in memory and in no file, and looks for what finds it: suites that
 * load the code, then worlds of the model, then whole worlds. Prints what finds each. Exits with 1 when nothing finds one.
 */

const PROGRAMS = {
  suites: { program: new URL('../../../scripts/testing/mutations/suites-lane.ts', import.meta.url), each: 1, runs: 'suites' },
  pure: { program: new URL('../pure/mutation-lane.ts', import.meta.url), each: 100, runs: 'worlds of decisions' },
  model: { program: new URL('../model/mutation-lane.ts', import.meta.url), each: 100, runs: 'worlds of the model' },
  worlds: { program: new URL('worlds-lane.ts', import.meta.url), each: 40, runs: 'whole worlds' },
} as const satisfies Record<Level | 'pure', object>;
/** Decisions alone are searched when they are asked for, and have no column in the document. */
type Searched = keyof typeof PROGRAMS;

const { values } = parseArgs({
  options: {
    by: { type: 'string', multiple: true, default: [...LEVELS] },
    only: { type: 'string', multiple: true },
    skip: { type: 'string', default: '0' },
    most: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    each: { type: 'string' },
    record: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const options = z
  .object({
    /** Levels to search with: the next only for bugs that those before have not found. */
    by: z.array(z.enum([...LEVELS, 'pure'])),
    /** Parts of names: one of them has to be in a bug's. */
    only: z.array(z.string()).optional(),
    /** Number of bugs to leave out at the beginning of the list, and to take then. */
    skip: z.coerce.number().int().min(0),
    most: z.coerce.number().int().min(1).optional(),
    /** For one bug at one level. */
    seconds: z.coerce.number().positive(),
    jobs: z.coerce.number().int().min(1).max(64),
    /** True to search only for what the document has no finding of, and to write each into it as it comes. */
    record: z.boolean(),
    /** Payments of a world. */
    each: z.coerce.number().int().min(1).max(10_000).optional(),
  })
  .parse(values);

const { only, skip, most = MUTATIONS.length } = options;
const names = MUTATIONS.map(({ name }) => name);
const wanted = MUTATIONS.slice(skip, skip + most).filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
const known = options.record ? findingsOf(readDocument()) : new Map<string, Findings>();
let left: readonly Mutation[] = wanted;
for (const by of options.by) left = await search(by, left);
for (const { name } of left) console.log(`**nothing**: ${name}`);
console.log(
  `\n${wanted.length - left.length} of ${wanted.length} bugs found, each within ${options.seconds} s of ${options.by.join(', ')}`,
);
process.exitCode = left.length === 0 ? 0 : 1;

/** Prints those that a level finds, and returns the others. */
async function search(by: Searched, mutations: readonly Mutation[]): Promise<readonly Mutation[]> {
  const { program, each, runs } = PROGRAMS[by];
  const column = by === 'pure' ? null : by;
  const cells = new Map(mutations.map(({ name }) => [name, column === null ? '' : (known.get(name)?.[column] ?? '')]));
  const queue = mutations.filter(({ name }) => cells.get(name) === '');
  await runInLanes<MutationTask, MutationResult>({
    program,
    lanes: Math.min(options.jobs, queue.length),
    next() {
      const mutation = queue.shift();
      return mutation === undefined ? null : { mutation, each: options.each ?? each, seconds: options.seconds };
    },
    take(result, { mutation: { name } }) {
      const cell = cellOf(by, result, runs);
      cells.set(name, cell);
      console.log(`${name}: ${cell}`);
      if (options.record && column !== null) recordFinding(names, name, column, cell);
      return true;
    },
  });
  return mutations.filter(({ name }) => !isFound(cells.get(name) ?? ''));
}

/** Finding of a level, as the document has it. */
function cellOf(by: Searched, result: MutationResult, runs: string): string {
  if (result.by === null) return by !== 'suites' && result.runs === 0 ? ELSEWHERE : nothingIn(result.seconds);
  const after = by === 'suites' ? '' : `${result.runs} ${result.runs === 1 ? runs.replace('worlds', 'world') : runs}, `;
  return `${result.by}, ${after}${result.seconds.toFixed(0)} s`;
}
