import { isOfDatabase } from '../kernel/code.ts';
import { serveTasks } from '../lanes.ts';
import type { MutationResult, MutationTask } from '../mutations/mutation-lane.ts';
import { openModel } from './open-model.ts';

/** Puts one bug after the other into the code that the model runs, and runs worlds until it is found. */
serveTasks(async ({ mutation, seeds, each, seconds }: MutationTask): Promise<MutationResult> => {
  // The tables of the model stand in for the database's functions, whose semantics `store.test.ts` compares.
  if (isOfDatabase(mutation)) return { found: null, worlds: 0, cpuMs: 0 };
  const model = await openModel([mutation]);
  const begunAt = performance.now();
  const before = process.cpuUsage();
  const cpuMs = (): number => (process.cpuUsage(before).user + process.cpuUsage(before).system) / 1_000;
  let worlds = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    if (seconds !== null && performance.now() - begunAt > seconds * 1_000) break;
    worlds += 1;
    const { kinds } = await model.run(seed, each, { explains: false, shrinks: false });
    if (kinds.length > 0) return { found: { seed, kinds }, worlds, cpuMs: cpuMs() };
  }
  return { found: null, worlds, cpuMs: cpuMs() };
});
