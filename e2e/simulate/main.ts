import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { countBy } from '../world/servers/simulators.ts';
import type { SourceEdit } from './kernel/code.ts';
import { runInLanes } from './lanes.ts';
import { THEMES } from './world/world-plan.ts';
import type { WorldResult, WorldTask } from './world-lane.ts';

/*
 * `npm run simulate -- --seed 7 --payments 100000`: worlds of payments in virtual time, one seed after the other, until there were as many
 * payments. Ends at the first seed that breaks a guarantee: with what broke, the smallest plan that still does, and the log.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    payments: { type: 'string', default: '1000' },
    each: { type: 'string', default: '40' },
    climate: { type: 'string', default: 'rough' },
    theme: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seconds: { type: 'string' },
    'no-shrinking': { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
    twice: { type: 'string', default: '0' },
    bite: { type: 'boolean', default: false },
  },
});
const options = z
  .object({
    seed: z.coerce.number().int().min(0),
    payments: z.coerce.number().int().min(1).max(100_000_000),
    /** Payments of one world. */
    each: z.coerce.number().int().min(1).max(10_000),
    climate: z.enum(['rough', 'calm']),
    /** Only worlds about this. */
    theme: z.enum(THEMES).optional(),
    /** Worlds that run at the same time, each in a process of its own. */
    jobs: z.coerce.number().int().min(1).max(64),
    /** How many of the first worlds are run a second time, and everything that happened compared. */
    twice: z.coerce.number().int().min(0),
    /** Begins no further world this long after the first. */
    seconds: z.coerce.number().positive().optional(),
  })
  .parse(values);

/** The code that decides and the code that computes decisions again are the same function: a check by the changed code would find nothing. */
const COUNTED_FROM_ONE: SourceEdit = {
  file: 'packages/routing/src/decide/decide.ts',
  search: 'index: candidates.length,',
  replace: 'index: candidates.length + 1,',
};
/** Worlds within which it has to be found. */
const BITE_WORLDS_MAX = 5;
const BITE_PAYMENTS = 6;

const begunAt = performance.now();
let firstAt: number | null = null;
const results: WorldResult[] = [];
const faults: string[] = [];
let payments = 0;
let planned = 0;
let seed = options.seed;
let broken = 0;
let worldsWithBug = 0;
/** Reports on worlds with the bug. */
const bites: (readonly string[])[] = [];

await runInLanes<WorldTask, WorldResult>({
  program: new URL('world-lane.ts', import.meta.url),
  lanes: Math.min(options.jobs, Math.ceil(options.payments / options.each)),
  next() {
    // Counted from the first world on: opening the simulator takes as long as it takes.
    firstAt ??= performance.now();
    const isTimeUp = options.seconds !== undefined && performance.now() - firstAt > options.seconds * 1_000;
    if (isTimeUp || planned >= options.payments) return nextBite();
    const count = Math.min(options.each, options.payments - planned);
    planned += count;
    const twice = seed - options.seed < options.twice;
    const { climate, theme = null } = options;
    return { seed: seed++, payments: count, climate, theme, twice, shrinks: !values['no-shrinking'], bug: null };
  },
  take(result, task) {
    if (task.bug !== null) {
      if (result.broken !== null) bites.push(result.broken);
      return true;
    }
    results.push(result);
    faults.push(...result.faults);
    payments += task.payments;
    if (result.broken === null) return true;
    broken++;
    console.log(result.broken.join('\n'));
    return values['keep-going'];
  },
});
if (values.bite) console.log(['a bug was put in:', ...(bites[0] ?? ['no world shows it'])].join('\n'));
summarise();
process.exitCode = broken === 0 && (bites.length > 0 || !values.bite) ? 0 : 1;

/** The next world with a bug in the code that decides, until one shows it. */
function nextBite(): WorldTask | null {
  if (!values.bite || bites.length > 0 || broken > 0 || worldsWithBug >= BITE_WORLDS_MAX) return null;
  worldsWithBug += 1;
  const world = { seed: worldsWithBug, payments: BITE_PAYMENTS, climate: 'calm', theme: null } as const;
  return { ...world, twice: false, shrinks: true, bug: COUNTED_FROM_ONE };
}

function summarise(): void {
  const sumOf = (of: (result: WorldResult) => number): number => results.reduce((sum, result) => sum + of(result), 0);
  const virtualMs = sumOf((result) => result.virtualMs);
  const cpuMs = sumOf((result) => result.cpuMs);
  const inOrder = (names: readonly string[]): string =>
    Object.entries(countBy(names))
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  console.log(
    [
      `seeds ${options.seed} to ${seed - 1}: ${payments} payments in ${results.length} worlds, ${broken === 0 ? 'no violation' : `${broken} with violations`}`,
      `${((performance.now() - begunAt) / 1_000).toFixed(1)} s on ${options.jobs} processes`,
      `${(cpuMs / 1_000).toFixed(1)} s of CPU time for the worlds: ${((1_000 * payments) / cpuMs).toFixed(1)} payments and ${Math.round((1_000 * sumOf(({ statements }) => statements)) / cpuMs)} statements in a second of it`,
      `${(virtualMs / 3_600_000).toFixed(0)} hours of virtual time, ${Math.round(virtualMs / cpuMs)} times as fast as real time on one core`,
      `${sumOf(({ crashes }) => crashes)} crashes`,
      `themes: ${inOrder(results.flatMap(({ theme }) => theme ?? []))}`,
      `faults: ${inOrder(faults)}`,
    ].join('\n'),
  );
}
