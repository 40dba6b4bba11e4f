import { findWrongRollups, rebuildRollups } from '@switchyard/reporting/rollups';
import { resolveDatabase } from '../stack/database.ts';
import { thisProject } from '../stack/project.ts';

const SHOWN = 20;

/** `reports check`: resolves with 0 when every roll-up is right, 1 when one is not. Payments go on meanwhile. */
export async function check(): Promise<number> {
  return compare(await resolveDatabase(thisProject()), stopwatch());
}

/** `reports rebuild`: rebuilds all roll-ups, then compares them. */
export async function rebuild(): Promise<number> {
  const url = await resolveDatabase(thisProject());
  const print = stopwatch();
  await rebuildRollups(url, print);
  return compare(url, print);
}

function stopwatch(): (line: string) => void {
  const began = performance.now();
  return (line) => console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}

async function compare(url: string, print: (line: string) => void): Promise<number> {
  const wrong = await findWrongRollups(url, print);
  for (const { table, merchantId, period, sum } of wrong.slice(0, SHOWN)) {
    console.error(`wrong: ${table} of ${period}, merchant ${merchantId}: ${sum}`);
  }
  if (wrong.length > SHOWN) console.error('and more');
  print(wrong.length === 0 ? 'Every roll-up is right.' : 'Roll-ups are wrong. npm run admin -- reports rebuild makes them anew.');
  return wrong.length === 0 ? 0 : 1;
}
