export { analyse } from './analyse.ts';
export { type RuleSetDiff, diffRuleSets } from './diff.ts';
export { type ExpectationResult, checkExpectations } from './expectations.ts';
export type { Analysis, FindingKind } from './finding.ts';
export { type PaymentCount, type Takeover, findTakeovers } from './takeovers.ts';
