export { readOutages } from './outages.ts';
export { type AccountPerformance, latencyAt, readPerformance } from './performance.ts';
export { type ExpectedSettlement, readExpectedSettlements } from './settlements.ts';
export { readVolume, type VolumeRow } from './volume.ts';
export type { PaymentDate, VolumeGroup, VolumeQuery } from './volume-query.ts';
