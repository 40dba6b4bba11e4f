export { type DescribedShadow, describeShadow, listShadowDifferences } from './describe-shadow.ts';
export { ageOutShadowRuns } from './queries.ts';
export { recordShadowDecisions } from './record-shadow-decisions.ts';
export { SHADOW_HOURS_MAX, startShadow, stopShadow } from './start-shadow.ts';
