/*
 * Every column that can hold text, with whom it is about. `docs/privacy.md` says the same by table, and a test compares the two; a fixture fills
 * each column about customers, erases the customer, and looks for what is left.
 */

/** The effect of an erasure on a column about customers. */
type Erasing =
  /** Emptied, replaced or deleted, whatever is in it. */
  | 'always'
  /** Replaced or deleted where it names the person by e-mail address, phone number or id. */
  | 'named'
  /** Stays, as the document says. */
  | 'never';

/** A column about customers. */
export interface CustomerColumn {
  readonly erased: Erasing;
  /** True if a customer's export has it, else why not. */
  readonly exported: true | string;
}

/** The columns of a table that can hold text, each once. */
interface StoredTexts {
  /** Nothing about a person: codes, figures, names of ours, of gateways and of merchants. */
  readonly plain?: string;
  /** About staff: who did it, and what they wrote that is about no customer. */
  readonly staff?: string;
  readonly customer?: Readonly<Record<string, CustomerColumn>>;
}

const ALWAYS: CustomerColumn = { erased: 'always', exported: true };
const NAMED: CustomerColumn = { erased: 'named', exported: true };
const KEPT: CustomerColumn = { erased: 'never', exported: true };
const SEARCHES = { erased: 'named', exported: 'A search of staff repeats what the payments say.' } as const;

/** Columns by table. */
export const STORED_TEXTS: Readonly<Record<string, StoredTexts>> = {
  account_snapshot: { plain: 'accounts' },
  accounting_setting: { plain: 'time_zone mapping', staff: 'review_waiver_by' },
  api_key: { plain: 'public_id secret_hash name last_four scopes allowed_addresses', staff: 'created_by' },
  api_request: { plain: 'method', customer: { path: NAMED, request_body: ALWAYS, response_body: ALWAYS } },
  attempt: {
    plain: 'gateway reference failure_class failure_code transaction_id received_currency',
    customer: { packed_call: ALWAYS, failure_message: NAMED },
  },
  attempt_rollup: { plain: 'gateway result' },
  attempt_rollup_change: { plain: 'gateway result' },
  audit_entry: {
    plain: 'action object_type object_id previous hash key_id',
    staff: 'actor',
    customer: { before: KEPT, after: KEPT },
  },
  audit_head: { plain: 'hash key_id seal' },
  bank_coverage: { plain: 'bank_account' },
  bank_decision: { staff: 'decided_by' },
  bank_line: {
    plain: 'bank_account currency dedupe_key',
    customer: { text: { erased: 'never', exported: 'A line is of a payout, and of no single payment.' } },
  },
  bank_match: { plain: 'matched_by' },
  bank_profile: { plain: 'bank_account mapping' },
  bank_statement: { plain: 'hash name format', staff: 'taken_by' },
  canary_unit: { customer: { customer: { erased: 'always', exported: 'A salted hash of the address, which the payment has.' } } },
  compat_number: { plain: 'kind dialect' },
  custom_role: { plain: 'name permissions test_permissions' },
  database_epoch: { plain: 'identity' },
  dispute: { plain: 'gateway gateway_dispute_id reference transaction_id category stage currency unrecognised' },
  dispute_event: { plain: 'type detail', staff: 'actor' },
  dispute_evidence: { plain: 'media_type', staff: 'uploaded_by', customer: { file_name: ALWAYS, content: ALWAYS } },
  dispute_response: {
    plain: 'stage',
    staff: 'requested_by',
    customer: { message: ALWAYS, customer_name: ALWAYS, service: ALWAYS, failure: ALWAYS },
  },
  dispute_source: { plain: 'failure' },
  duplicate_charge: { plain: 'gateway reference transaction_id currency', staff: 'resolved_by', customer: { note: ALWAYS } },
  effective_rate: { plain: 'currency method' },
  holdout_customer: { customer: { customer: { erased: 'always', exported: 'A hash of the address, which the payment has.' } } },
  holdout_month: { plain: 'month currency sums' },
  success_rate: { plain: 'currency method' },
  fee_contract: { plain: 'schedule', staff: 'note created_by' },
  gateway_account: {
    plain: 'gateway label credentials credential_hint currencies methods base_url configuration_fault_message',
  },
  gateway_webhook: { plain: 'gateway dedupe_key event reference transaction_id', customer: { packed_body: ALWAYS } },
  gateway_code: { plain: 'operation code' },
  group_role: { plain: 'group_name' },
  health_bucket: { plain: 'method' },
  health_event: { plain: 'method from_state to_state why detail' },
  health_status: { plain: 'method state why demoted_to demoted_by' },
  health_threshold_set: { plain: 'changes', staff: 'updated_by' },
  idempotency_record: {
    plain: 'key request_hash',
    customer: { body: { erased: 'always', exported: 'An answer repeats the payment or the refund.' } },
  },
  incident: { plain: 'subject closed_reason', staff: 'facts acknowledged_by' },
  incident_account: { plain: 'chart' },
  incident_note: { staff: 'text author' },
  incident_post_mortem: { staff: 'text updated_by' },
  intake_change: { plain: 'action before after', staff: 'reason changed_by' },
  job_pool: { plain: 'pool_id' },
  late_journal: { plain: 'month', staff: 'made_by' },
  late_journal_item: { plain: 'kind subject currency' },
  machine_token: { plain: 'public_id secret_hash last_four', staff: 'name revoked_by' },
  merchant: { plain: 'merchant_number name default_redirect_url time_zone metadata_keys approval_waiver_by' },
  merchant_event: { plain: 'type', customer: { packed_body: ALWAYS } },
  month_close: { plain: 'month time_zone document hash', staff: 'closed_by reviewed_by review_note signed_by signed_name' },
  month_close_item: { plain: 'kind subject currency' },
  notification: { plain: 'error' },
  notification_channel: { plain: 'name quiet_hours', staff: 'target target_hint' },
  payer: { customer: { sealed: ALWAYS } },
  payment: {
    plain:
      'currency payment_method requested_gateway routing_mode rule_id recommended_gateway gateway_reference received_currency paid_method account_gateway failure_reason reversal_cause',
    customer: {
      merchant_order_id: KEPT,
      customer_country: KEPT,
      customer_email: ALWAYS,
      customer_id: ALWAYS,
      customer_phone: ALWAYS,
      metadata: ALWAYS,
      redirect_url: ALWAYS,
      review_reason: NAMED,
      packed_session: ALWAYS,
      packed_decision: NAMED,
    },
  },
  payment_fee: { plain: 'gateway currency method' },
  payment_note: { staff: 'author', customer: { text: ALWAYS } },
  payment_rollup: { plain: 'gateway method rule_id currency' },
  payment_rollup_change: { plain: 'gateway method rule_id currency' },
  reconciliation_discrepancy: {
    plain: 'gateway subject reference transaction_id ledger statement',
    staff: 'resolved_by',
    customer: { note: ALWAYS, resolution: ALWAYS },
  },
  reconciliation_run: { plain: 'gateway zone failure totals' },
  refund: {
    plain: 'gateway transaction_id currency reason_code reference gateway_refund_id',
    staff: 'requested_by resolved_by',
    customer: { reason: ALWAYS, note: ALWAYS, failure_message: NAMED },
  },
  refund_approval: {
    plain: 'kind currency gateway reason_code',
    staff: 'requested_by decided_by',
    customer: { reason: ALWAYS, note: ALWAYS, decision_note: ALWAYS },
  },
  refund_control: { plain: 'daily_limits reason_codes', staff: 'waiver_by' },
  refused_webhook: { plain: 'why' },
  report_file: { customer: { content: { erased: 'always', exported: 'A file repeats what the payments say.' } } },
  report_run: { plain: 'error link_hash', staff: 'requested_by' },
  report_schedule: { plain: 'list time_zone', staff: 'recipients created_by', customer: { name: SEARCHES, filter: SEARCHES } },
  retention_progress: { plain: 'kind' },
  retention_setting: { plain: 'kind' },
  routing_override: { plain: 'gateway method', staff: 'reason actor ended_by' },
  rule_canary: { plain: 'salt sums', staff: 'reason started_by ended_by refusal' },
  rule_set_version: {
    plain: 'name document schedule_refusal',
    staff:
      'reason created_by editors saved_by approval_requested_by approved_by rejected_by rejection_reason scheduled_by published_by',
  },
  saved_view: { plain: 'page', customer: { name: SEARCHES, query: SEARCHES } },
  scim_group: { plain: 'display_name display_name_key external_id' },
  scim_token: { plain: 'public_id secret_hash last_four', staff: 'created_by revoked_by' },
  scim_user: { staff: 'user_name user_name_key external_id given_name family_name display_name' },
  secret_check: { plain: 'name value' },
  settlement: { plain: 'gateway reference currency unrecognised unrecognised_record' },
  settlement_discrepancy: {
    plain: 'gateway subject currency',
    staff: 'resolved_by',
    customer: { note: ALWAYS, resolution: ALWAYS },
  },
  settlement_file: { plain: 'hash name mapping entered', staff: 'taken_by' },
  settlement_ignore_rule: { staff: 'reason created_by ended_by' },
  settlement_line: { plain: 'currency reference transaction_id subjects', customer: { description: KEPT } },
  settlement_profile: { plain: 'gateway mapping' },
  settlement_source: { plain: 'failure' },
  shadow_decision: { plain: 'currency method rule_id' },
  shadow_run: { plain: 'document', staff: 'started_by' },
  sso_provider: {
    plain: 'provider_id name issuer domain oidc_config saml_config client_secret group_claim organization_id',
    staff: 'created_by',
  },
  staff_credential: { plain: 'account_id provider_id access_token refresh_token id_token scope password' },
  staff_grant: { plain: 'group_name', staff: 'granted_by' },
  staff_link: { plain: 'token_hash grants', staff: 'email name created_by' },
  staff_session: { plain: 'token', staff: 'ip_address user_agent' },
  staff_sign_in_limit: { plain: 'key' },
  staff_two_factor: { plain: 'secret backup_codes' },
  staff_user: { plain: 'image time_zone tables', staff: 'name email' },
  staff_verification: { plain: 'id value', staff: 'identifier' },
  timeline_event: { plain: 'type cause', staff: 'actor', customer: { detail: ALWAYS } },
  webhook_delivery: { plain: 'type last_failure url', customer: { body: ALWAYS, answer: ALWAYS } },
  webhook_delivery_attempt: { plain: 'url failure', customer: { answer: ALWAYS } },
  webhook_endpoint: { plain: 'url description types format secrets disabled_reason' },
  webhook_follow_up: { plain: 'about' },
  webhook_resend: { plain: 'types', staff: 'requested_by' },
  withdrawn_line: { customer: { line: KEPT } },
};

/** All columns about customers, as `table.column`. */
export const CUSTOMER_COLUMNS: Readonly<Record<string, CustomerColumn>> = Object.fromEntries(
  Object.entries(STORED_TEXTS).flatMap(([table, { customer = {} }]) =>
    Object.entries(customer).map(([column, about]) => [`${table}.${column}`, about]),
  ),
);
