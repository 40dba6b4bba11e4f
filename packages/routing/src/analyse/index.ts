export { analyse, combinationProblems } from './analyse.ts';
export { diffRuleSets, type RuleSetDiff } from './diff.ts';
export { checkExpectations, type ExpectationResult } from './expectations.ts';
export { type Analysis, compareFindings, type Finding, type FindingComparison, type FindingKind } from './finding.ts';
export {
  countDecided,
  countOverlaps,
  type DecidedCount,
  findTakeovers,
  findUnmet,
  type Overlap,
  type PaymentCount,
  type Takeover,
} from './takeovers.ts';
