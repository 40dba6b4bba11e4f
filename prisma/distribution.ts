/**
 * Where Citus keeps each table of the schema: copied to every node, split by its merchant, or on the coordinator; and which functions run
 * beside the rows. `npm run db:distribute` follows it. A table that another's foreign key names stands before it.
 */
export const DISTRIBUTION = {
  /** Few rows, read beside those of every merchant. */
  reference: ['merchant', 'configuration_revision', 'api_key'],
  /**
   * Rows of one merchant are on one node, by this column. The first is what the others are kept beside. An audit entry is kept beside the
   * rows that it is about: its tenant is the merchant's id.
   */
  distributed: {
    payment: 'merchant_id',
    tenant: 'id',
    payment_check: 'merchant_id',
    attempt: 'merchant_id',
    timeline_event: 'merchant_id',
    refund: 'merchant_id',
    idempotency_record: 'merchant_id',
    compat_number: 'merchant_id',
    dispute: 'merchant_id',
    duplicate_charge: 'merchant_id',
    payment_note: 'merchant_id',
    gateway_webhook: 'merchant_id',
    refused_webhook: 'merchant_id',
    retention_setting: 'merchant_id',
    retention_progress: 'merchant_id',
    webhook_arrival: 'merchant_id',
    merchant_event: 'merchant_id',
    webhook_endpoint: 'merchant_id',
    webhook_delivery: 'merchant_id',
    webhook_delivery_attempt: 'merchant_id',
    webhook_resend: 'merchant_id',
    gateway_account: 'merchant_id',
    account_snapshot: 'merchant_id',
    rule_set_version: 'merchant_id',
    shadow_run: 'merchant_id',
    shadow_decision: 'merchant_id',
    routing_override: 'merchant_id',
    health_threshold_set: 'merchant_id',
    health_bucket: 'merchant_id',
    health_event: 'merchant_id',
    health_status: 'merchant_id',
    api_key_use: 'merchant_id',
    reconciliation_run: 'merchant_id',
    reconciliation_discrepancy: 'merchant_id',
    reconciliation_setting: 'merchant_id',
    payment_rollup: 'merchant_id',
    payment_rollup_change: 'merchant_id',
    attempt_rollup: 'merchant_id',
    attempt_rollup_change: 'merchant_id',
    audit_entry: 'tenant_id',
    audit_head: 'tenant_id',
  },
  /**
   * Functions that run on the node of the merchant that their first argument, `merchant`, names. All others are called there by them and by
   * triggers.
   */
  functions: [
    'announce_events',
    'change_payments',
    'record_fallback',
    'reserve_payments',
    'settle_delivery_attempt',
    'settle_failed_initiation',
    'settle_opened_initiations',
    'store_gateway_webhooks',
  ],
  /** Staff, processes and alerts, which no statement of a payment joins with the rest. */
  local: [
    '_prisma_migrations',
    'agent_token',
    'finance_token',
    'incident',
    'incident_mute',
    'job_pool',
    'machine_token',
    'notification',
    'notification_channel',
    'process_heartbeat',
    'saved_view',
    'secret_check',
    'staff_credential',
    'staff_grant',
    'staff_link',
    'staff_session',
    'staff_sign_in_limit',
    'staff_two_factor',
    'staff_user',
    'staff_verification',
  ],
} as const;
