export { applyRollupChanges } from './apply-rollup-changes.ts';
export { findWrongRollups, rebuildRollups } from './rebuild-rollups.ts';
export { updateRollups } from './update-rollups.ts';
