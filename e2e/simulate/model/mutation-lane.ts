import { isOfDatabase } from '../kernel/code.ts';
import { serveTasks } from '../lanes.ts';
import { type MutationResult, type MutationTask, NOT_RUN, orNotRun, searchWorlds } from '../mutations/level.ts';
import { openModel } from './open-model.ts';
import { findTheme } from './world/plan.ts';

/** Puts one bug after the other into the code that the model runs, and runs worlds until it is found. */
serveTasks(async (task: MutationTask): Promise<MutationResult> => {
  // The model has tables in place of the database's functions, which `store.test.ts` compares, and gateways in place of connectors.
  const isOfModel = !isOfDatabase(task.mutation) && !task.mutation.file.startsWith('packages/gateways/');
  return isOfModel ? search(task).catch(orNotRun) : NOT_RUN;
});

async function search({ mutation, each, seconds }: MutationTask): Promise<MutationResult> {
  const model = await openModel([mutation]);
  return searchWorlds(seconds, findTheme(mutation.theme), async (seed, theme) => {
    const { kinds } = await model.run(seed, each, { explains: false, shrinks: false, theme });
    return kinds;
  });
}
