export { compareDecisions, type DecisionComparison } from './explain.ts';
export { type EligibilityVerdict, explainEligibility } from './explain-eligibility.ts';
export { recompute } from './recompute.ts';
