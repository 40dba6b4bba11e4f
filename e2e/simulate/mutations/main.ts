import { parseArgs } from 'node:util';
import { z } from 'zod';
import { checkWorld, STATEMENTS } from '../oracle/check-world.ts';
import { openSimulator } from '../run-world.ts';
import { planWorld } from '../world/plan.ts';
import { MUTATIONS } from './list.ts';

/*
 * `npm run simulate:mutations`: puts one bug after the other into the product, in memory and in no file, and runs worlds until the simulator
 * finds it. Exits with 1 when one is found with none of the seeds.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    each: { type: 'string', default: '50' },
    only: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const options = z
  .object({
    /** Most seeds for one bug. */
    seeds: z.coerce.number().int().min(1),
    each: z.coerce.number().int().min(1),
    /** A part of the name. */
    only: z.string().optional(),
    /** Most seconds for one bug. */
    seconds: z.coerce.number().positive().optional(),
  })
  .parse(values);

const realNow = performance.now.bind(performance);
const simulator = await openSimulator();
const wanted = MUTATIONS.filter(({ name }) => options.only === undefined || name.includes(options.only));
let missed = 0;
for (const mutation of wanted) {
  await simulator.replaceProduct([mutation]);
  const found = await findSeed();
  if (found === null) missed++;
  console.log(
    `${found === null ? 'NOT FOUND' : `seed ${String(found.seed).padStart(4)}`}  ${mutation.name}${found === null ? '' : `: ${found.kinds}`}`,
  );
}
console.log(`${wanted.length - missed} of ${wanted.length} bugs found`);
process.exit(missed === 0 ? 0 : 1);

async function findSeed(): Promise<{ readonly seed: number; readonly kinds: string } | null> {
  const begunAt = realNow();
  for (let seed = 1; seed <= options.seeds; seed++) {
    if (options.seconds !== undefined && realNow() - begunAt > options.seconds * 1_000) return null;
    const kinds = await breakIn(seed);
    if (kinds !== null) return { seed, kinds };
  }
  return null;
}

/** What a world of the seed breaks; null when it breaks nothing. A world that cannot go on counts. */
async function breakIn(seed: number): Promise<string | null> {
  try {
    const run = await simulator.run(planWorld(seed, options.each, 'rough'), STATEMENTS);
    const kinds = new Set(checkWorld(run).map(({ kind }) => kind));
    return kinds.size === 0 ? null : [...kinds].join(', ');
  } catch (error) {
    return `the world stopped: ${String(error)}`;
  }
}
