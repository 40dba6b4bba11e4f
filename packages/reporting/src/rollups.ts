import type { Database } from '@switchyard/db';
import { applyRollupChanges } from './apply-rollup-changes.ts';

export { applyRollupChanges } from './apply-rollup-changes.ts';
export { findWrongRollups, rebuildRollups } from './rebuild-rollups.ts';

const BATCH = 5_000;
const ROUNDS_MAX = 20;

/** Applies pending change records to the roll-ups; returns how many. */
export async function updateRollups({ resources }: { readonly resources: { readonly database: Database } }): Promise<number> {
  let applied = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const batch = await applyRollupChanges(resources.database, BATCH);
    applied += batch;
    if (batch < BATCH) break;
  }
  return applied;
}
