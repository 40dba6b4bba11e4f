export {
  type Database,
  isDatabaseAway,
  openResources,
  patientPool,
  type Resources,
  releaseJobsOfTheGone,
  sayPoolsAreAlive,
} from '@switchyard/db';
export { gatewayNames, gatewayTitle } from '@switchyard/gateways';
export {
  checkHealthThresholds,
  DEFAULT_HEALTH_THRESHOLDS,
  HEALTH_THRESHOLD_BOUNDS,
  type HealthThresholds,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '@switchyard/routing';
export { askAboutAttempt } from './ask-about-attempt.ts';
export { type ConfigurationFaultDescription, describeFault } from './configuration-faults/describe-fault.ts';
export type { PaymentsContext } from './context.ts';
export { type AccountStanding, type AccountUse, describeAccountUse, listAccountUse } from './describe-account-use.ts';
export {
  type AccountAtGateway,
  type AccountProblem,
  type CheckedAccount,
  type CredentialField,
  checkAccountAtGateway,
  describeGateways,
  type GatewayKind,
} from './describe-gateways.ts';
export {
  type AttemptCall,
  type AttemptDescription,
  type DecisionDescription,
  describeDecision,
  describePayment,
  type PaymentDescription,
  type PaymentMoney,
  type RefundDescription,
  type TimelineDescription,
} from './describe-payment.ts';
export { type EventRecord, eventRecord } from './event-record.ts';
export type { CandidateVerdict } from './explain-candidates.ts';
export { find } from './find.ts';
export { followUpWebhook } from './follow-up-webhook.ts';
export {
  type AccountOverview,
  describeHealth,
  type HealthOverview,
  type HealthQuery,
  type MethodOverview,
  type OverrideOverview,
} from './health/describe-health.ts';
export type { Firing } from './health/find-firings.ts';
export {
  findPaymentsBehindHealth,
  type PaymentsBehindHealth,
  type PaymentsBehindHealthQuery,
} from './health/find-payments-behind-health.ts';
export type { HealthSpan, Outage } from './health/health-spans.ts';
export { keepHealthCounts } from './health/keep-health-counts.ts';
export { type HealthFeedItem, type HealthFeedPage, type HealthFeedPageQuery, listHealthFeed } from './health/list-health-feed.ts';
export {
  type HealthStateSeries,
  type HealthStates,
  type HealthStatesQuery,
  listHealthStates,
} from './health/list-health-states.ts';
export { thresholdsOf } from './health/merchant-thresholds.ts';
export {
  type FiringSum,
  type PreviewThresholdsQuery,
  previewThresholds,
  type SeriesPreview,
  type ThresholdPreview,
} from './health/preview-thresholds.ts';
export { type ProbeDiary, probeAccounts } from './health/probe-accounts.ts';
export { type HealthStrip, type HealthStrips, type HealthStripsQuery, readHealthStrips } from './health/read-health-strips.ts';
export { watchHealth } from './health/watch-health.ts';
export { type InitiateResult, initiate } from './initiate.ts';
export { keepSums } from './keep-sums.ts';
export { type GatewayDeliveries, type GatewayDeliveriesQuery, listGatewayDeliveries } from './list-gateway-deliveries.ts';
export {
  type ListPaymentsQuery,
  listPayments,
  type PaymentPage,
  startOfDay,
  summariseToday,
  type TodaySummary,
} from './list-payments.ts';
export { openPayments } from './open-payments.ts';
export type { Caller, Order, Timings } from './order.ts';
export { listPaymentMessages, type PaymentMessages } from './payment-messages.ts';
export { type AddNoteOutcome, addPaymentNote, listNotes } from './payment-notes.ts';
export { receiveGatewayWebhook, type WebhookReceipt } from './receive-gateway-webhook.ts';
export {
  assignDifference,
  type DifferenceOutcome,
  noteDifference,
  reopenDifference,
  resolveDifference,
} from './reconciliation/change-difference.ts';
export {
  countAllDifferences,
  findDifference,
  listDifferences,
  listRuns,
  listTotals,
} from './reconciliation/list-reconciliation.ts';
export { type ReconcileOutcome, reconcileDay } from './reconciliation/reconcile-day.ts';
export { requestDay, scheduleReconciliations } from './reconciliation/request-reconciliation.ts';
export { describeRefundable } from './refunds/describe-refundable.ts';
export { type DismissDuplicateOutcome, dismissDuplicate } from './refunds/dismiss-duplicate.ts';
export { type DismissRefundOutcome, dismissRefund } from './refunds/dismiss-refund.ts';
export { followRefunds, sendRefund } from './refunds/follow-refunds.ts';
export { followUpRefundWebhook } from './refunds/follow-up-refund-webhook.ts';
export {
  listDuplicateCharges,
  listRefunds,
  listRefundsFor,
  listReviews,
  type Refund,
  readOneRefund,
} from './refunds/list-refunds.ts';
export { lookAtRefund } from './refunds/look-at-refund.ts';
export { type RefundDuplicateOutcome, refundDuplicate } from './refunds/refund-duplicate.ts';
export { type RequestRefundOutcome, requestRefund } from './refunds/request-refund.ts';
export { type ResolveReviewOutcome, resolveReview } from './resolve-review.ts';
export { type CheckoutResult, findCheckoutResult, returnFromCheckout } from './return-from-checkout.ts';
export { countRuleTraffic, type RuleTrafficOverview } from './rules/count-rule-traffic.ts';
export { describeRouting, type RoutingOverview } from './rules/describe-routing.ts';
export { type EvaluateRulesOutcome, type EvaluateRulesQuery, evaluateRules } from './rules/evaluate-rules.ts';
export { explainRouting, type PresentRouting, type Recomputation, type RoutingExplanation } from './rules/explain-routing.ts';
export {
  listMovedPayments,
  type MovedPayment,
  type MovedPaymentsOutcome,
  type MovedPaymentsQuery,
} from './rules/list-moved-payments.ts';
export { listTakeovers, type TakeoversOutcome, type TakeoversQuery } from './rules/list-takeovers.ts';
export type { DraftQuery, DraftRefusal } from './rules/read-draft.ts';
export { REPLAY_MAX, type ReplayOutcome, type ReplayRulesQuery, type ReplayStep, replayRules } from './rules/replay-rules.ts';
export { listViews, removeView, type SaveViewOutcome, saveView } from './saved-views.ts';
export { settleOverdue } from './settle-overdue.ts';
export { takeOverInitiation } from './take-over-initiation.ts';
export { type ConnectionTest, testConnection } from './test-connection.ts';
export { executionStatus } from './transitions.ts';
export { verify } from './verify.ts';
export { type VerifyNowOutcome, verifyNow } from './verify-now.ts';
