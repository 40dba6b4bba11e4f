export { readHealthHistory } from './history/count-queries.ts';
export { describeHealth } from './history/describe-health.ts';
export { type FaultyAttemptRow, readFaultyAttempts, readHealthFeed } from './history/feed-queries.ts';
export { listHealthFeed } from './history/list-health-feed.ts';
export { listHealthStates } from './history/list-health-states.ts';
export { accountsOf, readHealthStrips } from './history/read-health-strips.ts';
export { type ProbeState, probeAccounts } from './probes/probe-accounts.ts';
export { changeHealthThresholds } from './thresholds/change-thresholds.ts';
export { previewThresholds } from './thresholds/preview-thresholds.ts';
