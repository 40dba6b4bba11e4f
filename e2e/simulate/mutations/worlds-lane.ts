import { serveTasks } from '../lanes.ts';
import { checkWorld } from '../oracle/check-world.ts';
import { openSimulator } from '../run-world.ts';
import { planWorld } from '../world/plan.ts';
import type { Theme } from '../world/world-plan.ts';
import { type MutationResult, type MutationTask, orNotRun, searchWorlds } from './level.ts';

/** Puts one bug after the other into the product, and runs whole worlds until it is found. */
const simulator = await openSimulator();
serveTasks((task: MutationTask): Promise<MutationResult> => search(task).catch(orNotRun));

async function search({ mutation, each, seconds }: MutationTask): Promise<MutationResult> {
  await simulator.replaceProduct([mutation]);
  return searchWorlds(seconds, mutation.theme, (seed, theme) => breakIn(seed, each, theme));
}

/** Guarantees that a world of the seed breaks. A world that cannot go on counts. */
async function breakIn(seed: number, each: number, theme: Theme | null): Promise<string[]> {
  try {
    const run = await simulator.run(planWorld(seed, each, 'rough', theme));
    return [...new Set(checkWorld(run).map(({ kind }) => kind))];
  } catch (error) {
    return [`the world stopped: ${String(error)}`];
  }
}
