import { isOfDatabase } from '../kernel/code.ts';
import { serveTasks } from '../lanes.ts';
import { type MutationResult, type MutationTask, NOT_RUN, orNotRun, searchWorlds } from '../mutations/level.ts';
import { openProduct } from './open-pure.ts';
import { runWorld } from './run-world.ts';

/** Puts one bug after the other into the product's decisions, and runs worlds until it is found. */
serveTasks(async (task: MutationTask): Promise<MutationResult> => {
  return isOfDatabase(task.mutation) || task.mutation.file.startsWith('packages/gateways/')
    ? NOT_RUN
    : search(task).catch(orNotRun);
});

async function search({ mutation, each, seconds }: MutationTask): Promise<MutationResult> {
  const product = await openProduct([mutation]);
  return searchWorlds(seconds, null, async (seed) => [...new Set(runWorld(product, seed, each).found.map(({ kind }) => kind))]);
}
