export { analyse } from './analyse.ts';
export { diffRuleSets, type RuleSetDiff } from './diff.ts';
export { checkExpectations, type ExpectationResult } from './expectations.ts';
export type { Analysis, FindingKind } from './finding.ts';
export { findTakeovers, type PaymentCount, type Takeover } from './takeovers.ts';
