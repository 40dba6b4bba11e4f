export { analyse, FINDINGS_MAX } from './analyse.ts';
export { accountsOf, type CompiledRule, type CompiledRuleSet, compileRuleSet, findRule } from './compile.ts';
export { correlate, type HealthSighting, type SharedTrouble } from './correlate.ts';
export { type DecideInput, decide } from './decide.ts';
export { type ChangedRule, diffRuleSets, type FieldChange, type PlacedRule, type RuleSetDiff } from './diff.ts';
export { type AccountVerdict, type Evaluation, evaluate, evaluateStored } from './evaluate.ts';
export { checkExpectations, type ExpectationResult } from './expectations.ts';
export {
  type ConditionVerdict,
  checkRule,
  compareDecisions,
  type DecisionComparison,
  explainDecision,
  type RuleCondition,
  type RuleVerdict,
} from './explain.ts';
export {
  ELIGIBILITY_CONDITIONS,
  type EligibilityCondition,
  type EligibilityVerdict,
  explainEligibility,
} from './explain-eligibility.ts';
export { feeInHundredths } from './fee.ts';
export type { AccountLimit, Analysis, Finding, FindingKind, Gap, LimitConsequence, LimitedFindingKind } from './finding.ts';
export {
  type AssessHealthInput,
  accountHealthOf,
  assessHealth,
  type Demotion,
  type HealthAssessment,
  type HealthMemory,
} from './health.ts';
export type { FaultInRow } from './health-evidence.ts';
export {
  type GatewaySighting,
  type GatewaySurvey,
  type GatewayTrouble,
  hasSucceededSince,
  surveyGateway,
} from './health-prior.ts';
export { describePrior, type HealthSubject } from './health-sentence.ts';
export {
  type CheckedThresholds,
  checkHealthThresholds,
  DEFAULT_HEALTH_THRESHOLDS,
  HEALTH_THRESHOLD_BOUNDS,
  type HealthThresholds,
  readHealthThresholds,
  type ThresholdProblem,
} from './health-thresholds.ts';
export {
  addCounts,
  BUCKET_MS,
  bucketOf,
  countOutcome,
  FAULT_KINDS,
  type FaultKind,
  type HealthOutcome,
  type LookupCounts,
  NO_COUNTS,
  type OutcomeBucket,
  type OutcomeCounts,
  sumSince,
  WINDOW_MS,
} from './health-window.ts';
export { formatAmount, formatHundredths, groupDigits, MAX_AMOUNT } from './money.ts';
export { leadingProbe } from './probe.ts';
export { addFallbackReasons, type FailedAttempt, recompute } from './recompute.ts';
export {
  accountsInReplay,
  createReplay,
  type FeeDifference,
  type Move,
  type PastPayment,
  type Replay,
  type ReplayConditions,
  type ReplayResult,
  type ReplaySetup,
  replay,
} from './replay.ts';
export type { ConversionEstimate } from './replay-conversion.ts';
export {
  type ParsedRuleSet,
  parseRuleSet,
  RULE_SET_LIMITS,
  type RuleSetProblem,
  ruleSetJsonSchema,
  ruleSetSchema,
} from './rule-set.ts';
export { describeConfigurationFault } from './sentence.ts';
export { decisionInputsSchema } from './stored-inputs.ts';
export { findTakeovers, type PaymentCount, type RuleReference, type Takeover } from './takeovers.ts';
export type { ExamplePayment } from './territory.ts';
export {
  type AccountHealth,
  type ConfigurationFault,
  type Decision,
  type DecisionInputs,
  type Expectation,
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
export { learnUsualLatency, openingOverdueMs, openingTimeoutMs, slowFromMs, type UsualLatency } from './usual-latency.ts';
