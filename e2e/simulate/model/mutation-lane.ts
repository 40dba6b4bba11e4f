import { isOfDatabase } from '../kernel/code.ts';
import { serveTasks } from '../lanes.ts';
import { type MutationResult, type MutationTask, searchWorlds } from '../mutations/level.ts';
import { openModel } from './open-model.ts';
import { findTheme } from './world/plan.ts';

/** Puts one bug after the other into the code that the model runs, and runs worlds until it is found. */
serveTasks(async ({ mutation, each, seconds }: MutationTask): Promise<MutationResult> => {
  // The model has tables in place of the database's functions, which `store.test.ts` compares, and gateways in place of connectors.
  const isOfModel = !isOfDatabase(mutation) && !mutation.file.startsWith('packages/gateways/');
  if (!isOfModel) return { by: null, runs: 0, seconds: 0 };
  const model = await openModel([mutation]);
  return searchWorlds(seconds, findTheme(mutation.theme), async (seed, theme) => {
    const { kinds } = await model.run(seed, each, { explains: false, shrinks: false, theme });
    return kinds;
  });
});
