export { type CompiledRuleSet, compileRuleSet, findRule } from './compile.ts';
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
