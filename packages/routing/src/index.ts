export { type CompiledRuleSet, compileRuleSet, findRule } from './compile.ts';
export { correlate, type HealthSighting, type SharedTrouble } from './correlate.ts';
export { type DecideInput, decide } from './decide.ts';
export {
  type ConditionVerdict,
  checkRule,
  compareDecisions,
  type DecisionComparison,
  explainDecision,
  type RuleCondition,
  type RuleVerdict,
} from './explain.ts';
export { feeInHundredths } from './fee.ts';
export {
  type AssessHealthInput,
  assessHealth,
  DEFAULT_HEALTH_THRESHOLDS,
  type HealthAssessment,
  type HealthMemory,
  type HealthThresholds,
} from './health.ts';
export type { HealthSubject } from './health-sentence.ts';
export {
  BUCKET_MS,
  bucketOf,
  type FaultKind,
  type HealthOutcome,
  type OutcomeBucket,
  type OutcomeCounts,
  WINDOW_MS,
} from './health-window.ts';
export { formatAmount, formatHundredths, groupDigits, MAX_AMOUNT } from './money.ts';
export { addFallbackReasons, type FailedAttempt, recompute } from './recompute.ts';
export { type ParsedRuleSet, parseRuleSet, RULE_SET_LIMITS, type RuleSetProblem, ruleSetSchema } from './rule-set.ts';
export {
  type AccountHealth,
  type Decision,
  type DecisionInputs,
  type FeeSchedule,
  type HealthSnapshot,
  type HealthState,
  type IneligibleReason,
  PAYMENT_METHODS,
  type PaymentMethod,
  type PlannedAttempt,
  type RationaleCode,
  type RoutableAccount,
  type RoutablePayment,
  type RoutingOverride,
  type RoutingReason,
  type RoutingRecord,
  type Rule,
  type RuleSet,
  type RuleTarget,
} from './types.ts';
