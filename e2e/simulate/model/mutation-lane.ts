import { isOfDatabase } from '../kernel/code.ts';
import { serveTasks } from '../lanes.ts';
import type { MutationResult, MutationTask } from '../mutations/mutation-lane.ts';
import { openModel } from './open-model.ts';
import { findTheme } from './world/plan.ts';

/** As many of the first worlds are of the theme that the bug belongs to. */
const THEMED_SEEDS = 100;

/** Puts one bug after the other into the code that the model runs, and runs worlds until it is found. */
serveTasks(async ({ mutation, seeds, each, seconds }: MutationTask): Promise<MutationResult> => {
  // The model has tables in place of the database's functions, which `store.test.ts` compares, and gateways in place of connectors.
  const isOfModel = !isOfDatabase(mutation) && !mutation.file.startsWith('packages/gateways/');
  if (!isOfModel) return { found: null, worlds: 0, cpuMs: 0 };
  const model = await openModel([mutation]);
  const theme = findTheme(mutation.theme);
  const begunAt = performance.now();
  const before = process.cpuUsage();
  const cpuMs = (): number => (process.cpuUsage(before).user + process.cpuUsage(before).system) / 1_000;
  let worlds = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    if (seconds !== null && performance.now() - begunAt > seconds * 1_000) break;
    worlds += 1;
    const { kinds } = await model.run(seed, each, {
      explains: false,
      shrinks: false,
      theme: seed <= THEMED_SEEDS ? theme : null,
    });
    if (kinds.length > 0) return { found: { seed, kinds }, worlds, cpuMs: cpuMs() };
  }
  return { found: null, worlds, cpuMs: cpuMs() };
});
