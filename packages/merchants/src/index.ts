export {
  type AuditEntryInList,
  type AuditPage,
  type AuditQuery,
  findAudit,
  listAudit,
  listAuditChoices,
} from './audit/list-audit.ts';
export {
  type HeadInText,
  listAuditHeads,
  type VerifyAuditOutcome,
  type VerifyAuditQuery,
  verifyAudit,
} from './audit/verify-audit.ts';
export { type Authentication, authenticate } from './authenticate.ts';
export { type BootstrapOwnerOutcome, bootstrapOwner } from './bootstrap-owner.ts';
export type { GrantScope } from './change-grants.ts';
export {
  type ChangeHealthThresholdsCommand,
  type ChangeHealthThresholdsOutcome,
  changeHealthThresholds,
} from './change-health-thresholds.ts';
export { ACCOUNTS_MAX, type ConnectGatewayCommand, type ConnectGatewayOutcome, connectGateway } from './connect-gateway.ts';
export type { MerchantsContext } from './context.ts';
export { type CreateMerchantCommand, type CreateMerchantOutcome, createMerchant } from './create-merchant.ts';
export { type Courier, type CourierOptions, openCourier } from './deliveries/courier.ts';
export { type EndOverrideCommand, type EndOverrideOutcome, endOverride } from './end-override.ts';
export { type FeeExample, feeExample, PUBLISHED_FEES, type PublishedFees } from './fee-example.ts';
export type { FieldProblem } from './field-problems.ts';
export { authenticateFinance, type FinanceAccess } from './finance-tokens/authenticate-finance.ts';
export {
  type IssueFinanceTokenCommand,
  type IssueFinanceTokenOutcome,
  issueFinanceToken,
} from './finance-tokens/issue-finance-token.ts';
export { listFinanceTokensOf } from './finance-tokens/list-finance-tokens.ts';
export {
  type RevokeFinanceTokenCommand,
  type RevokeFinanceTokenOutcome,
  revokeFinanceToken,
} from './finance-tokens/revoke-finance-token.ts';
export { findMerchant, type ListMerchantsQuery, listMerchants } from './find-merchant.ts';
export type { GatewayAccountSettings } from './gateway-fields.ts';
export { type GrantRoleCommand, type GrantRoleOutcome, grantRole } from './grant-role.ts';
export { type IssueKeyCommand, type IssueKeyOutcome, issueKey } from './issue-key.ts';
export { flushKeyUse } from './key-use.ts';
export { LEAKED_KEY_PATTERN, parseKey } from './keys.ts';
export { listGateways } from './list-gateways.ts';
export { type GrantInList, listGrants } from './list-grants.ts';
export { type KeyInList, type KeyState, listKeys } from './list-keys.ts';
export type { MintedKey } from './mint-key.ts';
export { may, mayAny, PERMISSIONS, type Permission, permissionsOf } from './permissions.ts';
export { type RevokeKeyCommand, type RevokeKeyOutcome, revokeKey } from './revoke-key.ts';
export { type RevokeRoleCommand, type RevokeRoleOutcome, revokeRole } from './revoke-role.ts';
export { type RotateKeyCommand, type RotateKeyOutcome, rotateKey } from './rotate-key.ts';
export type { AccountsFile } from './rules/accounts-file.ts';
export { type CancelScheduleCommand, type CancelScheduleOutcome, cancelSchedule } from './rules/cancel-schedule.ts';
export type { DocumentCheck } from './rules/check-document.ts';
export {
  type CreateDraftCommand,
  type CreateDraftOutcome,
  createDraft,
  DRAFTS_MAX,
  type DraftSource,
} from './rules/create-draft.ts';
export {
  type ApprovalRefusal,
  type ApproveRulesCommand,
  type ApproveRulesOutcome,
  approveRules,
  type RejectRulesCommand,
  type RejectRulesOutcome,
  rejectRules,
} from './rules/decide-approval.ts';
export { describeRefusal } from './rules/describe-refusal.ts';
export { type DiscardDraftCommand, type DiscardDraftOutcome, discardDraft } from './rules/discard-draft.ts';
export {
  type DraftApproval,
  type DraftKey,
  type DraftRefusal,
  isOwnWork,
  type RuleDraft,
  type RuleDraftInList,
  type ScheduleRefusal,
} from './rules/draft.ts';
export { type ExportRulesOutcome, exportAccounts, exportRules } from './rules/export-rules.ts';
export {
  type ApprovalRequest,
  listApprovalRequests,
  listWaiverRequests,
  type WaiverRequest,
} from './rules/list-approval-requests.ts';
export { findDraft, listDrafts } from './rules/list-drafts.ts';
export type { PublicationRefusal, StaleBase } from './rules/publication.ts';
export { type PublishDraftCommand, type PublishDraftOutcome, publishDraft } from './rules/publish-draft.ts';
export { type PublishRulesCommand, type PublishRulesOutcome, publishRules } from './rules/publish-rules.ts';
export { type DuePublication, publishScheduledRules } from './rules/publish-scheduled-rules.ts';
export { type RequestApprovalCommand, type RequestApprovalOutcome, requestApproval } from './rules/request-approval.ts';
export { type RequireApprovalCommand, type RequireApprovalOutcome, requireApproval } from './rules/require-approval.ts';
export { type RollBackRulesCommand, type RollBackRulesOutcome, rollBackRules } from './rules/roll-back-rules.ts';
export { RULE_SET_FILE_SCHEMA_PATH, type RuleSetFile, ruleSetFileJsonSchema } from './rules/rule-set-file.ts';
export {
  type DiffRuleSetsOutcome,
  diffStoredRuleSets,
  findRuleSetVersion,
  listRuleSetVersions,
  type PublishedRuleSet,
  type RuleSetInHistory,
  versionActiveAt,
} from './rules/rule-set-history.ts';
export type { RuleSetScope, RuleSetSource } from './rules/rule-set-source.ts';
export {
  type RulesApproval,
  readRulesApproval,
} from './rules/rules-approval.ts';
export { type SaveDraftCommand, type SaveDraftOutcome, saveDraft } from './rules/save-draft.ts';
export { type ValidateRulesOutcome, type ValidateRulesQuery, validateRules } from './rules/validate-rules.ts';
export { type SetOverrideCommand, type SetOverrideOutcome, setOverride } from './set-override.ts';
export { type AcceptInvitationCommand, type AcceptInvitationOutcome, acceptInvitation } from './team/accept-invitation.ts';
export {
  type ChangeInvitationCommand,
  type RenewInvitationOutcome,
  type RestoreInvitationOutcome,
  renewInvitation,
  restoreInvitation,
  type WithdrawInvitationOutcome,
  withdrawInvitation,
} from './team/change-invitation.ts';
export {
  type ChangePersonCommand,
  type ChangePersonOutcome,
  requireTwoFactor,
  resetTwoFactor,
  setStaffDisabled,
} from './team/change-person.ts';
export { type InviteStaffCommand, type InviteStaffOutcome, inviteStaff } from './team/invite-staff.ts';
export { type InvitationInTeam, listTeam, type PersonInTeam, type Team } from './team/list-team.ts';
export { type LinkInSight, lookAtLink } from './team/look-at-link.ts';
export { type Reach, type RoleFor, reaches } from './team/reach.ts';
export {
  type MakeResetLinkOutcome,
  makeResetLink,
  type ResetPasswordOutcome,
  requestReset,
  resetPassword,
} from './team/reset-password.ts';
export { listMerchantsWithoutSecondPerson } from './team/rule-approvers.ts';
export {
  type EndSessionsCommand,
  type EndSessionsOutcome,
  endSessions,
  listSessions,
  SESSION_IDLE_MS,
} from './team/sessions.ts';
export type { IssuedLink } from './team/staff-link.ts';
export { type UpdateGatewayCommand, type UpdateGatewayOutcome, updateGateway } from './update-gateway.ts';
export { type UpdateMerchantCommand, type UpdateMerchantOutcome, updateMerchant } from './update-merchant.ts';
export {
  type CreateEndpointCommand,
  type CreateEndpointOutcome,
  createEndpoint,
  ENDPOINTS_MAX,
} from './webhooks/create-endpoint.ts';
export type { WebhookEndpointSettings } from './webhooks/endpoint-fields.ts';
export {
  type DeliveryPage,
  findDelivery,
  type ListDeliveriesQuery,
  listDeliveries,
  listResends,
} from './webhooks/list-deliveries.ts';
export { type EndpointInList, findEndpoint, type ListEndpointsQuery, listEndpoints } from './webhooks/list-endpoints.ts';
export { type RemoveEndpointOutcome, removeEndpoint } from './webhooks/remove-endpoint.ts';
export { type ResendDeliveryCommand, type ResendDeliveryOutcome, resendDelivery } from './webhooks/resend-delivery.ts';
export {
  type CountRangeOutcome,
  continueResend,
  continueStalledResends,
  countRange,
  type ResendRangeOutcome,
  type ResendRangeQuery,
  resendRange,
} from './webhooks/resend-range.ts';
export {
  type EndPreviousSecretOutcome,
  endPreviousSecret,
  type RotateEndpointSecretCommand,
  type RotateEndpointSecretOutcome,
  rotateEndpointSecret,
} from './webhooks/rotate-endpoint-secret.ts';
export { type SendTestEventOutcome, sendTestEvent } from './webhooks/send-test-event.ts';
export { type SwitchEndpointOutcome, switchOffEndpoint, switchOnEndpoint } from './webhooks/switch-endpoint.ts';
export { type UpdateEndpointCommand, type UpdateEndpointOutcome, updateEndpoint } from './webhooks/update-endpoint.ts';
