import type { Database } from '@switchyard/db';
import { applyRollupChanges } from './apply-rollup-changes.ts';

const BATCH = 5_000;
const ROUNDS_MAX = 20;

/** Adds what changed to the sums that reports read, as much as waits; returns how many notes were counted. */
export async function updateRollups({ resources }: { readonly resources: { readonly database: Database } }): Promise<number> {
  let counted = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const now = await applyRollupChanges(resources.database, BATCH);
    counted += now;
    if (now < BATCH) break;
  }
  return counted;
}
