export { type Clock, clockIn, UTC_CLOCK } from './clock.ts';
export { accountFee, computeFee, feeInHundredths } from './fee.ts';
export type {
  CardOrigin,
  EffectiveRate,
  FeeBasis,
  FeeComputation,
  FeeException,
  FeeSchedule,
  FeeTerms,
  PricedPayment,
} from './fee-types.ts';
export { describeHealthReason, isSeenByOthersOnly, methodWord } from './health-text.ts';
export { decimalsOf, formatDecimal, formatHundredths, formatMoney, groupDecimal, groupDigits, MAX_AMOUNT } from './money.ts';
export { SHARE_FROM } from './shares.ts';
export {
  type AccountHealth,
  type ConfigurationFault,
  type Decision,
  type DecisionInputs,
  type Expectation,
  FAULT_KINDS,
  type FaultKind,
  type HealthReason,
  type HealthState,
  type HealthSubject,
  type IneligibleReason,
  type KeptInputs,
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
  type StoredHealthReason,
} from './types.ts';
