/** Actions whose verb and object are not those of their name. */
const ACTIONS: Readonly<Record<string, string>> = {
  'accounting.setting_changed': 'Changed accounting setting',
  'api_key.issued': 'Created API key',
  'customer.erased': 'Erased customer data',
  'customer.exported': 'Exported customer data',
  'encryption_keys.rotation_started': 'Started rotating encryption keys',
  'gateway_account.credentials_replaced': 'Replaced gateway credentials',
  'gateway_account.put_back_into_rotation': 'Put gateway account back into rotation',
  'gateway_account.taken_out_of_rotation': 'Took gateway account out of rotation',
  'incident.acknowledged': 'Acknowledged alert',
  'incident.muted': 'Muted alert',
  'incident.unmuted': 'Unmuted alert',
  'incident.noted': 'Added note to incident',
  'incident.post_mortem_changed': 'Changed post-mortem of incident',
  'incident_kind.muted': 'Muted alert type',
  'incident_kind.unmuted': 'Unmuted alert type',
  'machine_token.issued': 'Created machine token',
  'merchant.refund_control_changed': 'Changed control of refunds',
  'merchant.refund_control_waiver_declined': 'Declined looser control of refunds',
  'merchant.refund_control_waiver_requested': 'Requested looser control of refunds',
  'merchant.metadata_keys_changed': 'Changed keys for rules',
  'merchant.rules_approval_changed': 'Changed approval of rules',
  'merchant.rules_approval_waiver_requested': 'Requested publishing without approval',
  'month_close.closed': 'Closed month',
  'month_close.late_journal_made': 'Made journal of late arrivals',
  'month_close.review_rule_changed': 'Changed review of months',
  'month_close.review_waiver_requested': 'Requested sign-off without review',
  'month_close.reviewed': 'Reviewed closed month',
  'month_close.signed_off': 'Signed off month',
  'payment.noted': 'Added note to payment',
  'refund.approval_declined': 'Declined refund',
  'refund.approval_requested': 'Requested approval of refund',
  'refund.approval_withdrawn': 'Withdrew refund',
  'refund.approved': 'Approved refund',
  'refund.outcome_recorded': 'Recorded result of refund',
  'payment.review_closed': 'Resolved payment review',
  'payment.review_resolved': 'Resolved payment review',
  'settlements.assigned': 'Assigned discrepancy of settlements',
  'settlements.bank_linked': 'Matched bank line with payout',
  'settlements.bank_matching_changed': 'Changed bank matching',
  'settlements.bank_unlinked': 'Reset match of bank line',
  'settlements.calendar_changed': 'Changed settlement calendar',
  'settlements.file_taken': 'Imported settlement file',
  'settlements.file_withdrawn': 'Withdrew settlement file',
  'settlements.payout_extended': 'Added lines to payout',
  'settlements.payout_reduced': 'Withdrew lines of payout',
  'settlements.payout_replaced': 'Replaced payout',
  'settlements.payout_withdrawn': 'Withdrew payout',
  'settlements.statement_withdrawn': 'Withdrew bank statement',
  'settlements.explained': 'Explained discrepancy of settlements',
  'settlements.line_linked': 'Matched line of settlement',
  'settlements.line_unlinked': 'Reset match of settlement line',
  'settlements.statement_taken': 'Imported bank statement',
  'settlements.noted': 'Added note to discrepancy of settlements',
  'settlements.reopened': 'Reopened discrepancy of settlements',
  'settlements.resolved': 'Resolved discrepancy of settlements',
  'settlements.rule_created': 'Created ignore rule',
  'settlements.rule_ended': 'Ended ignore rule',
  'reconciliation.accepted': 'Accepted discrepancy',
  'reconciliation.assigned': 'Assigned discrepancy',
  'reconciliation.explained': 'Explained discrepancy',
  'reconciliation.noted': 'Added note to discrepancy',
  'reconciliation.reopened': 'Reopened discrepancy',
  'reconciliation.requested': 'Requested reconciliation',
  'reconciliation.resolved': 'Resolved discrepancy',
  'reconciliation.tolerance_changed': 'Changed reconciliation tolerance',
  'report.downloaded': 'Downloaded scheduled report by its link',
  'report.link_revoked': 'Revoked link to scheduled report',
  'report.made': 'Generated scheduled report',
  'report_schedule.paused': 'Paused scheduled report',
  'report_schedule.periods_skipped': 'Skipped periods of scheduled report',
  'report_schedule.retried': 'Tried scheduled report again',
  'report_schedule.sent_now': 'Sent scheduled report now',
  'retention.changed': 'Changed data retention',
  'rule_set.approval_requested': 'Requested approval of rules',
  'rule_set.approved': 'Approved rules',
  'rule_set.canary_ended': 'Ended trial of rules undecided',
  'rule_set.canary_promoted': 'Promoted rules on trial',
  'rule_set.canary_refused': 'Refused to promote rules on trial',
  'rule_set.canary_rolled_back': 'Rolled back rules on trial',
  'rule_set.canary_started': 'Published rules for a share of customers',
  'rule_set.canary_stopped': 'Stopped trial of rules',
  'rule_set.canary_widened': 'Tried rules with more customers',
  'rule_set.draft_discarded': 'Discarded rules draft',
  'rule_set.draft_saved': 'Saved rules draft',
  'rule_set.drafted': 'Created rules draft',
  'rule_set.published': 'Published rules',
  'rule_set.rejected': 'Rejected rules',
  'rule_set.rolled_back': 'Rolled back rules',
  'rule_set.schedule_cancelled': 'Cancelled scheduled rules',
  'rule_set.schedule_refused': 'Refused scheduled rules',
  'rule_set.scheduled': 'Scheduled rules',
  'rule_set.shadow_ended': 'Finished shadow run',
  'rule_set.shadow_started': 'Started shadow run',
  'rule_set.shadow_stopped': 'Stopped shadow run',
  'scim_group.changed': 'Changed group',
  'scim_group.created': 'Created group',
  'scim_group.deleted': 'Deleted group',
  'scim_token.issued': 'Created provisioning token',
  'scim_token.revoked': 'Revoked provisioning token',
  'custom_role.changed': 'Changed role',
  'custom_role.created': 'Created role',
  'custom_role.removed': 'Removed role',
  'sso_provider.changed': 'Changed sign-in provider',
  'sso_provider.created': 'Added sign-in provider',
  'sso_provider.removed': 'Removed sign-in provider',
  'sso_provider.sign_in_refused': 'Refused sign-in by provider',
  'staff.backup_codes_renewed': 'Created new backup codes',
  'staff.break_glass_named': 'Named break-glass owner',
  'staff.created': 'Created team member',
  'staff.deprovisioned': 'Deprovisioned team member',
  'staff.disabled': 'Disabled team member',
  'staff.enabled': 'Enabled team member',
  'staff.invitation_renewed': 'Renewed invitation',
  'staff.invitation_restored': 'Restored invitation',
  'staff.invitation_withdrawn': 'Withdrew invitation',
  'staff.invited': 'Invited team member',
  'staff.joined': 'Joined the team',
  'staff.password_changed': 'Changed password',
  'staff.password_reset': 'Reset password',
  'staff.provider_linked': 'Linked account of sign-in provider',
  'staff.provider_step_taken': 'Confirmed by sign-in provider',
  'staff.profile_changed': 'Changed profile of team member',
  'staff.provisioned': 'Provisioned team member',
  'staff.reset_link_made': 'Created password reset link',
  'staff.role_granted': 'Granted role',
  'staff.role_revoked': 'Removed role',
  'staff.sessions_ended': 'Ended sessions',
  'staff.sign_in_refused': 'Refused sign-in',
  'staff.signed_in': 'Signed in',
  'staff.two_factor_disabled': 'Turned off two-factor authentication',
  'staff.two_factor_enabled': 'Turned on two-factor authentication',
  'staff.two_factor_made_optional': 'Made two-factor authentication optional',
  'staff.two_factor_required': 'Required two-factor authentication',
  'staff.two_factor_reset': 'Reset two-factor authentication',
  'webhook_endpoint.previous_secret_ended': 'Ended previous webhook secret',
  'webhook_endpoint.range_resent': 'Resent webhook deliveries',
  'webhook_endpoint.secret_rotated': 'Rotated webhook secret',
  'webhook_endpoint.test_event_sent': 'Sent test event',
};

/** An action of the audit log: a verb in the past tense, then what it was done to: `Revoked API key`. */
export function describeAction(action: string): string {
  const [object = '', verb = ''] = action.split('.');
  return ACTIONS[action] ?? `${titleOf(verb)} ${titleOf(object).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
}

/** A kind of object in words: `Rule set`. */
export function describeKind(objectType: string): string {
  switch (objectType) {
    case 'staff':
      return 'Person';
    case 'custom_role':
      return 'Role';
    case 'scim_group':
      return 'Group';
    case 'scim_token':
      return 'Provisioning token';
    case 'sso_provider':
      return 'Sign-in provider';
    case 'rule_set_version':
      return 'Rule set';
    case 'reconciliation_difference':
      return 'Discrepancy';
    default:
      return titleOf(objectType);
  }
}

/** The merchant of a change, or the workspace itself. */
export function describeMerchant(merchantId: string | null, name: string | null): string {
  return merchantId === null ? 'Workspace' : (name ?? 'Unknown merchant');
}

function titleOf(name: string): string {
  const words = name.replace(/_/g, ' ').replace(/\bapi\b/, 'API');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Why a chain is invalid, as a sentence about the entry where it breaks. */
export function describeBreak(why: ChainBreak): string {
  switch (why) {
    case 'changed':
      return 'it is not as it was written';
    case 'missing':
      return 'it is missing';
    case 'not_continued':
      return 'it does not continue the entry before it';
    case 'cut_off':
      return 'it and whatever followed were cut off the end';
    case 'past_head':
      return 'it stands past the recorded end';
    case 'not_as_kept':
      return 'its hash is not the one you kept';
    case 'unknown_key':
      return 'this service does not hold the key it was written with';
    case 'head_forged':
      return 'the recorded end was not written by this service';
    default:
      return why satisfies never;
  }
}

/** Why a hash chain is invalid. */
export type ChainBreak =
  | 'changed'
  | 'missing'
  | 'not_continued'
  | 'cut_off'
  | 'past_head'
  | 'not_as_kept'
  | 'unknown_key'
  | 'head_forged';
