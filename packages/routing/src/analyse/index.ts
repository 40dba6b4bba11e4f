export { analyse } from './analyse.ts';
export { combinationProblems } from './combinations.ts';
export { compareFindings, type FindingComparison } from './compare-findings.ts';
export { diffRuleSets, type RuleSetDiff } from './diff.ts';
export { checkExpectations, type ExpectationResult } from './expectations.ts';
export type { Analysis, Finding, FindingKind } from './finding.ts';
export {
  countDecided,
  countOverlaps,
  type DecidedCount,
  findTakeovers,
  type Overlap,
  type PaymentCount,
  type Takeover,
} from './takeovers.ts';
export { findUnmet } from './unmet.ts';
