export { feeInHundredths } from './fee.ts';
export { formatAmount, formatHundredths, groupDigits, MAX_AMOUNT } from './money.ts';
export {
  type AccountHealth,
  type ConfigurationFault,
  type Decision,
  type DecisionInputs,
  type Expectation,
  type FeeSchedule,
  type HealthState,
  type IneligibleReason,
  PAYMENT_METHODS,
  type PaymentMethod,
  type PlannedAttempt,
  type RoutableAccount,
  type RoutablePayment,
  type RoutingOverride,
  type RoutingRecord,
  type Rule,
  type RuleSet,
  type RuleTarget,
} from './types.ts';
