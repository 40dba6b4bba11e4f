/**
 * Looks after the sums that reports are read from, in the database of `DATABASE_URL`, else that of the running stack, else the
 * embedded one. Payments go on meanwhile.
 *
 *   npm run reports:check     compares every sum with the payments and attempts themselves, to the last unit
 *   npm run reports:rebuild   rebuilds all roll-ups, then compares them
 *
 * Ends with 0 when every sum is right, 1 when one is not, 2 when it could not be found out.
 */
import { findWrongRollups, rebuildRollups } from '@switchyard/reporting';
import { dismissGuard } from './stack/guard.ts';
import { asProblem } from './stack/problem.ts';
import { type Project, thisProject } from './stack/project.ts';
import { resolveDatabase } from './stack/resolve-database.ts';
import { createTeardown, type Teardown } from './stack/teardown.ts';

const USAGE = 'usage: npm run reports:check, or npm run reports:rebuild';
const SHOWN = 20;

async function run(what: string | undefined, project: Project, teardown: Teardown): Promise<number> {
  if (what !== 'check' && what !== 'rebuild') {
    console.error(USAGE);
    return 2;
  }
  const url = await resolveDatabase(project, teardown);
  const began = performance.now();
  const print = (line: string) => console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
  if (what === 'rebuild') await rebuildRollups(url, print);
  const wrong = await findWrongRollups(url, print);
  for (const { table, merchantId, period, sum } of wrong.slice(0, SHOWN)) {
    console.error(`wrong: ${table} of ${period}, merchant ${merchantId}: ${sum}`);
  }
  if (wrong.length > SHOWN) console.error('and more');
  print(wrong.length === 0 ? 'Every roll-up is right.' : 'Roll-ups are wrong. npm run reports:rebuild rebuilds them.');
  return wrong.length === 0 ? 0 : 1;
}

const project = thisProject();
const teardown = createTeardown();
try {
  process.exitCode = await run(process.argv[2], project, teardown);
} catch (error) {
  const problem = asProblem(error, project.logs);
  console.error([problem.message, ...problem.hints].join('\n  '));
  process.exitCode = 2;
}
await teardown.run();
await dismissGuard();
