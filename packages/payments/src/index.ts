export {
  type Database,
  isDatabaseAway,
  openResources,
  patientPool,
  type Resources,
  releaseJobsOfTheGone,
  sayPoolsAreAlive,
} from '@switchyard/db';
export { gatewayNames } from '@switchyard/gateways';
export {
  checkHealthThresholds,
  DEFAULT_HEALTH_THRESHOLDS,
  HEALTH_THRESHOLD_BOUNDS,
  type HealthThresholds,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '@switchyard/routing';
export { askAboutAttempt } from './ask-about-attempt.ts';
export type { PaymentsContext } from './context.ts';
export { countRuleTraffic, type RuleTrafficOverview } from './count-rule-traffic.ts';
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
  type AccountOverview,
  describeHealth,
  type HealthOverview,
  type HealthQuery,
  type MethodOverview,
  type OverrideOverview,
} from './describe-health.ts';
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
export { describeRefundable } from './describe-refundable.ts';
export { describeRouting, type RoutingOverview } from './describe-routing.ts';
export { type DismissDuplicateOutcome, dismissDuplicate } from './dismiss-duplicate.ts';
export { type EvaluateRulesOutcome, type EvaluateRulesQuery, evaluateRules } from './evaluate-rules.ts';
export { type EventRecord, eventRecord } from './event-record.ts';
export { explainRouting, type PresentRouting, type Recomputation, type RoutingExplanation } from './explain-routing.ts';
export { find } from './find.ts';
export type { Firing } from './find-firings.ts';
export {
  findPaymentsBehindHealth,
  type PaymentsBehindHealth,
  type PaymentsBehindHealthQuery,
} from './find-payments-behind-health.ts';
export { followRefunds, sendRefund } from './follow-refunds.ts';
export { followUpRefundWebhook } from './follow-up-refund-webhook.ts';
export { followUpWebhook } from './follow-up-webhook.ts';
export type { HealthSpan, Outage } from './health-spans.ts';
export { type InitiateResult, initiate } from './initiate.ts';
export { keepHealthCounts } from './keep-health-counts.ts';
export { keepSums } from './keep-sums.ts';
export { type GatewayDeliveries, type GatewayDeliveriesQuery, listGatewayDeliveries } from './list-gateway-deliveries.ts';
export { type HealthFeedItem, type HealthFeedPage, type HealthFeedPageQuery, listHealthFeed } from './list-health-feed.ts';
export { type HealthStateSeries, type HealthStates, type HealthStatesQuery, listHealthStates } from './list-health-states.ts';
export {
  listMovedPayments,
  type MovedPayment,
  type MovedPaymentsOutcome,
  type MovedPaymentsQuery,
} from './list-moved-payments.ts';
export {
  type ListPaymentsQuery,
  listPayments,
  type PaymentPage,
  startOfDay,
  summariseToday,
  type TodaySummary,
} from './list-payments.ts';
export {
  listDuplicateCharges,
  listRefunds,
  listRefundsFor,
  listReviews,
  type Refund,
  readOneRefund,
} from './list-refunds.ts';
export { lookAtRefund } from './look-at-refund.ts';
export { thresholdsOf } from './merchant-thresholds.ts';
export { openPayments } from './open-payments.ts';
export type { Caller, Order, Timings } from './order.ts';
export { listPaymentMessages, type PaymentMessages } from './payment-messages.ts';
export { type AddNoteOutcome, addPaymentNote, listNotes } from './payment-notes.ts';
export {
  type FiringSum,
  type PreviewThresholdsQuery,
  previewThresholds,
  type SeriesPreview,
  type ThresholdPreview,
} from './preview-thresholds.ts';
export { type ProbeDiary, probeAccounts } from './probe-accounts.ts';
export type { DraftQuery, DraftRefusal } from './read-draft.ts';
export { type HealthStrip, type HealthStrips, type HealthStripsQuery, readHealthStrips } from './read-health-strips.ts';
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
export { type RefundDuplicateOutcome, refundDuplicate } from './refund-duplicate.ts';
export { REPLAY_MAX, type ReplayOutcome, type ReplayRulesQuery, type ReplayStep, replayRules } from './replay-rules.ts';
export { type RequestRefundOutcome, requestRefund } from './request-refund.ts';
export { type ResolveReviewOutcome, resolveReview } from './resolve-review.ts';
export { type CheckoutResult, findCheckoutResult, returnFromCheckout } from './return-from-checkout.ts';
export { listViews, removeView, type SaveViewOutcome, saveView } from './saved-views.ts';
export { settleOverdue } from './settle-overdue.ts';
export { takeOverInitiation } from './take-over-initiation.ts';
export { type ConnectionTest, testConnection } from './test-connection.ts';
export { executionStatus } from './transitions.ts';
export { verify } from './verify.ts';
export { type VerifyNowOutcome, verifyNow } from './verify-now.ts';
export { watchHealth } from './watch-health.ts';
export {
  CANDIDATE_CONDITIONS,
  type CandidateCondition,
  type CandidateVerdict,
  type ConditionOutcome,
} from './weigh-candidates.ts';
