export { applyRollupChanges } from './apply-rollup-changes.ts';
export { DELIVERY_FILE, DISCREPANCY_FILE, DUPLICATE_CHARGE_FILE, PAYMENT_FILE, REFUND_FILE } from './file-lists.ts';
export {
  countFileRows,
  type FileCursor,
  type FileFormat,
  type FileList,
  type FilePiece,
  type FileQuery,
  readFile,
} from './list-file.ts';
export { readOutages } from './outages.ts';
export { type AccountPerformance, latencyAt, readPerformance } from './performance.ts';
export { findWrongRollups, rebuildRollups } from './rebuild-rollups.ts';
export { updateRollups } from './update-rollups.ts';
export { readVolume, type VolumeRow } from './volume.ts';
export type { VolumeGroup, VolumeQuery } from './volume-query.ts';
