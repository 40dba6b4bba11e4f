export { type Clock, clockIn, UTC_CLOCK } from './clock.ts';
export { describePayment } from './decide/sentence.ts';
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
  SuccessRate,
} from './fee-types.ts';
export { describeHealthReason, isSeenByOthersOnly, methodWord } from './health-text.ts';
export { comparedKeys, comparesKeys, type KeyConditions, readPaymentKeys, type UsedKeys, usedKeys } from './keys/payment-keys.ts';
export { weekTimeAt } from './keys/week-time.ts';
export {
  decimalsOf,
  formatDecimal,
  formatHundredths,
  formatMoney,
  groupDecimal,
  groupDigits,
  MAX_AMOUNT,
  SHARE_FROM,
} from './money.ts';
export {
  type AccountHealth,
  type Assignment,
  type ConfigurationFault,
  type CustomerDraw,
  type CustomerHistory,
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
  type MetadataCondition,
  type MetadataKey,
  type MetadataValue,
  PAYMENT_METHODS,
  type PaymentKeys,
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
  WEEKDAYS,
  type Weekday,
} from './types.ts';
