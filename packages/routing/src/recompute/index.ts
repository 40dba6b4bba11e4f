export { compareDecisions, type DecisionComparison, recompute } from './explain.ts';
export { type EligibilityVerdict, explainEligibility } from './explain-eligibility.ts';
