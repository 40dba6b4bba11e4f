/**
 * Checks or rebuilds the roll-ups that reports are read from, in the database of `DATABASE_URL`, else that of the running stack, else
 * the embedded one. Payments go on meanwhile.
 *
 *   npm run reports:check     compares every roll-up with the payments and attempts themselves, to the last unit
 *   npm run reports:rebuild   rebuilds all roll-ups, then compares them
 *
 * Exits with 0 when every roll-up is right, 1 when one is not, 2 when the check could not run.
 */
import { findWrongRollups, rebuildRollups } from '@switchyard/reporting/rollups';
import { Problem } from './bootstrap/problem.mjs';
import { runCommand } from './stack/command.ts';
import { resolveDatabase } from './stack/database.ts';
import { thisProject } from './stack/project.ts';

const SHOWN = 20;

const began = performance.now();

function print(line: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}

await runCommand(async () => {
  const [what] = process.argv.slice(2);
  if (what !== 'check' && what !== 'rebuild') throw new Problem('usage: npm run reports:check, or npm run reports:rebuild');
  const url = await resolveDatabase(thisProject());
  if (what === 'rebuild') await rebuildRollups(url, print);
  const wrong = await findWrongRollups(url, print);
  for (const { table, merchantId, period, sum } of wrong.slice(0, SHOWN)) {
    console.error(`wrong: ${table} of ${period}, merchant ${merchantId}: ${sum}`);
  }
  if (wrong.length > SHOWN) console.error('and more');
  print(wrong.length === 0 ? 'Every roll-up is right.' : 'Roll-ups are wrong. npm run reports:rebuild rebuilds them.');
  return wrong.length === 0 ? 0 : 1;
});
