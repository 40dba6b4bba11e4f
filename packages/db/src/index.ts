export { type AccountUseRow, readAccountUse } from './account-use.ts';
export {
  type ApiKeyUse,
  countUsableApiKeys,
  endApiKey,
  findApiKey,
  insertApiKey,
  type ListedApiKey,
  listApiKeys,
  readApiKeyRequests,
  recordApiKeyUse,
} from './api-keys.ts';
export { findAttempt, findAttemptByReference, listAttempts } from './attempts.ts';
export { appendAuditEntry, type NewAuditEntry, NIL_ID } from './audit.ts';
export {
  CHAIN_START,
  type ChainBreak,
  type ChainPoint,
  type ChainState,
  checkChain,
  checkChainEnd,
} from './audit-chain.ts';
export {
  type AuditChoices,
  type AuditFilter,
  type AuditPageKey,
  type AuditRow,
  findAuditRow,
  readAuditChain,
  readAuditChoices,
  readAuditHeads,
  readAuditPage,
} from './audit-log.ts';
export { type Configuration, type MerchantConfiguration, openConfiguration, readRevision } from './configuration.ts';
export {
  clearConfigurationFault,
  configurationFaultOf,
  NO_CONFIGURATION_FAULT,
  type StoredConfigurationFault,
  setConfigurationFault,
} from './configuration-faults.ts';
export { lockConfiguration, raiseConfigurationRevision } from './configuration-revisions.ts';
export { type Database, isDatabaseAway, openDatabase } from './connect.ts';
export { claimDuePayment, claimNextDuePayment, type DuePayment, scheduleNextCheck } from './due-payments.ts';
export { claimDueRefunds, type DueRefund, markRefundSent, scheduleRefundCheck } from './due-refunds.ts';
export {
  changeDuplicateCharge,
  findDuplicateCharge,
  findDuplicateChargeOfRefund,
  type NewDuplicateCharge,
  readDuplicateCharge,
} from './duplicate-charges.ts';
export { EnvironmentError, openResources, type Resources } from './environment.ts';
export { settleFailedInitiation } from './failed-initiations.ts';
export {
  countUsableFinanceTokens,
  endFinanceToken,
  findFinanceToken,
  insertFinanceToken,
  type ListedFinanceToken,
  listFinanceTokens,
  recordFinanceTokenUse,
} from './finance-tokens.ts';
export {
  findGatewayAccount,
  findGatewayAccountByLabel,
  type GatewayAccountFields,
  insertGatewayAccount,
  type ListedGatewayAccount,
  listGatewayAccountRows,
  type NewGatewayAccount,
  updateGatewayAccountRow,
} from './gateway-accounts.ts';
export {
  type GatewayWebhookKey,
  type ListedGatewayWebhook,
  listGatewayWebhookRows,
  type RefusedWebhookCount,
  readRefusedWebhooks,
} from './gateway-webhook-lists.ts';
export {
  countRefusedWebhook,
  findGatewayWebhook,
  markGatewayWebhookProcessed,
  type NewGatewayWebhook,
  storeGatewayWebhook,
  type WebhookFollowUp,
} from './gateway-webhooks.ts';
export type {
  ApiKey,
  Attempt,
  ConfigurationFault,
  DuplicateChargeState,
  GatewayAccount,
  HealthThresholdSet,
  Merchant,
  Mode,
  PaymentStatus,
  ReconciliationDifference,
  Refund,
  RefundState,
  RoutingOverride,
  RuleSetVersion,
  StaffLink,
  StaffRole,
  WebhookDelivery,
  WebhookResend,
  WebhookTry,
} from './generated/client.ts';
export { Prisma } from './generated/client.ts';
export {
  addHealthCounts,
  changeHealth,
  deleteHealthCounts,
  type HealthChange,
  type HealthCounts,
  readConversions,
  readHealthCounts,
  readHealthStatuses,
} from './health.ts';
export {
  type FaultyAttemptRow,
  type FaultyAttemptsQuery,
  type HealthFeedKey,
  type HealthFeedQuery,
  type HealthFeedRow,
  readFaultyAttempts,
  readHealthFeed,
} from './health-feed.ts';
export { type HealthHistoryQuery, type HealthStep, mergeHealthCounts, readHealthHistory } from './health-history.ts';
export { type HealthStateRow, readHealthStates } from './health-states.ts';
export { findHealthThresholdSet, putHealthThresholdSet } from './health-threshold-sets.ts';
export {
  claimIdempotencyKey,
  completeIdempotentRequest,
  deleteExpiredIdempotencyRecords,
  type IdempotencyClaim,
  type IdempotentRequest,
  releaseIdempotentRequest,
} from './idempotency.ts';
export { releaseJobsOfTheGone, sayPoolsAreAlive } from './job-pools.ts';
export { enqueueJob, type Jobs, migrateJobs } from './jobs.ts';
export type { JsonValue } from './json.ts';
export { toPrismaJson } from './json.ts';
export { findLatestAttempt } from './latest-attempt.ts';
export {
  announceEvent,
  MERCHANT_EVENT_TYPES,
  type MerchantEventType,
  type NewMerchantEvent,
  TEST_EVENT_TYPE,
} from './merchant-events.ts';
export {
  findMerchantByNumber,
  findMerchantRow,
  insertMerchant,
  listMerchantRows,
  updateMerchantRow,
} from './merchants.ts';
export {
  countPastPayments,
  countPaymentsAlike,
  countPaymentsByRule,
  type PastPaymentKey,
  type PastPaymentRow,
  type PastPaymentsQuery,
  type PaymentsAlike,
  type RuleTraffic,
  readPastPayments,
} from './past-payments.ts';
export { patientPool } from './patient-pool.ts';
export { applyPaymentChange, changePayment, type PaymentChange, type ReceivedMoney } from './payment-changes.ts';
export { findPaymentDecision, type StoredPaymentDecision } from './payment-decisions.ts';
export {
  listPaymentDeliveries,
  listPaymentGatewayWebhooks,
  type PaymentDeliveryRow,
  type PaymentGatewayWebhookRow,
} from './payment-deliveries.ts';
export {
  findPaymentStory,
  type PaymentListItem,
  type PaymentPageFilter,
  type PaymentPageKey,
  type PaymentStoryRow,
  type PaymentSum,
  readPaymentPage,
  searchPaymentIds,
  sumPayments,
} from './payment-lists.ts';
export { findMerchantOfPayment, insertPaymentNote, listPaymentNotes, type PaymentNoteRow } from './payment-notes.ts';
export type {
  AttemptResult,
  FallbackGateway,
  NewAttempt,
  NewPayment,
  NewTimelineEvent,
  PaymentRecord,
} from './payment-record.ts';
export { findPayment, recordFallback, reservePayment, settleOpenedInitiation } from './payments.ts';
export {
  type DuplicateChargeListItem,
  type MoneyListScope,
  type MoneyPageKey,
  type RefundListItem,
  type RefundListScope,
  type ReviewListItem,
  readDuplicateChargePage,
  readRefundPage,
  readReviewPage,
} from './refund-lists.ts';
export {
  changeRefund,
  dismissFailedRefund,
  findRefund,
  findRefundsSpokenOf,
  type HeldPayment,
  holdPayment,
  insertRefund,
  isUnresolvedRefund,
  listMoneyOf,
  listRefundsOfPayment,
  type RefundChange,
  type RefundedMoney,
  readRefund,
  resolveFailedRefunds,
  sumRefundsOf,
} from './refunds.ts';
export { countNotes } from './reports/count-notes.ts';
export {
  countFileRows,
  type FileFormat,
  type FilePiece,
  type FilePlace,
  type FileQuestion,
  readFile,
} from './reports/list-file.ts';
export { deliveryFile, differenceFile, duplicateChargeFile, type ListFileFilter, refundFile } from './reports/other-files.ts';
export { readOutages } from './reports/outages.ts';
export { paymentFile } from './reports/payment-file.ts';
export { LISTED_PAYMENT, type PaymentKeysFilter, readListedPayments } from './reports/payment-keys.ts';
export { type AccountPerformance, latencyAt, readPerformance } from './reports/performance.ts';
export { openReports, type Reports } from './reports/read-only.ts';
export { findWrongSums, rebuildSums, type WrongSum } from './reports/rebuild-sums.ts';
export { readVolume, VOLUME_ROWS_MAX, type VolumeGroup, type VolumeQuery, type VolumeRow } from './reports/volume.ts';
export {
  closeExpiredOverrides,
  endRoutingOverride,
  findRoutingOverride,
  findStandingOverride,
  insertRoutingOverride,
} from './routing-overrides.ts';
export { listRuleApprovers, listScarceApprovers, type RuleApprover, type ScarceApprovers } from './rule-approvers.ts';
export {
  type ApprovalRequestRow,
  countRuleDrafts,
  findRuleSetById,
  insertRuleDraft,
  listApprovalRequestRows,
  listDueRuleDrafts,
  listRuleDraftRows,
  type NewRuleDraft,
  type RuleDraftChanges,
  updateRuleDraft,
} from './rule-set-drafts.ts';
export {
  findPublishedRuleSet,
  findRuleSetActiveAt,
  findRuleSetVersionRow,
  insertPublishedRuleSet,
  lastRuleSetVersion,
  listRuleSetVersionRows,
  type NewPublishedRuleSet,
  publishRuleDraft,
  type RuleSetKey,
  type RuleSetPublication,
  type RuleSetSummary,
} from './rule-set-versions.ts';
export { deleteSavedView, listSavedViews, putSavedView, type SavedViewRow } from './saved-views.ts';
export {
  countStaffGrants,
  deleteStaffGrant,
  findStaffGrant,
  type ListedStaffGrant,
  listStaffGrants,
  lockStaffGrants,
  putStaffGrant,
  type StaffGrantKey,
  staffExists,
} from './staff-grants.ts';
export {
  findStaffLink,
  insertStaffLink,
  listStaffInvitations,
  revokeStaffLinks,
  takeStaffLink,
  updateStaffLink,
} from './staff-links.ts';
export {
  deleteStaffSessions,
  deleteStaffTwoFactor,
  findStaffPerson,
  findStaffPersonByEmail,
  insertStaffPerson,
  listStaffPeople,
  listStaffSessions,
  readSessionStanding,
  readStaffNames,
  type StaffPerson,
  type StaffSessionRow,
  setStaffPassword,
  updateStaffPerson,
} from './staff-people.ts';
export { isUuid, newId } from './uuid-v7.ts';
export { openVault, type Vault, VaultError } from './vault.ts';
