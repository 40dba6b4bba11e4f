/*
 * The kinds of data that age out, with their limits. `docs/privacy.md` says the same in prose, and a test compares the two.
 */

/** Kinds of data that are removed by age. */
export const RETENTION_KINDS = [
  'gateway_calls',
  'gateway_webhooks',
  'refused_webhooks',
  'webhook_deliveries',
  'health_counts',
  'health_events',
  'alerts',
  'shadow_drafts',
  'canary_customers',
  'report_files',
  'sign_in_records',
  'failed_jobs',
  'api_requests',
  'idempotency_records',
] as const;

/** A kind of data that is removed by age. */
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** How long a kind may be kept, in days of 24 hours, all inclusive. */
export interface RetentionLimits {
  /** `merchant`: a merchant can have a setting of its own. `workspace`: one setting for all. */
  readonly of: 'merchant' | 'workspace';
  readonly defaultDays: number;
  /** The shortest: what the product needs. The same as `maxDays` where the time is fixed. */
  readonly minDays: number;
  readonly maxDays: number;
  /** Tables and columns. */
  readonly stored: readonly string[];
  /** Why not shorter than `minDays`. */
  readonly whyNotShorter: string;
}

/** Ten years, the longest any setting can say. */
const LONGEST = 3_650;

/** The limits of every kind. */
export const RETENTION_LIMITS: Readonly<Record<RetentionKind, RetentionLimits>> = {
  gateway_calls: {
    of: 'merchant',
    defaultDays: 90,
    minDays: 7,
    maxDays: LONGEST,
    stored: ['attempt.call'],
    whyNotShorter: 'Late money is watched for 72 hours, and gateways are asked about it for days.',
  },
  gateway_webhooks: {
    of: 'merchant',
    defaultDays: 90,
    minDays: 7,
    maxDays: LONGEST,
    stored: ['gateway_webhook'],
    whyNotShorter: 'Gateways repeat a webhook for almost four days, and each is acted on once.',
  },
  refused_webhooks: {
    of: 'merchant',
    defaultDays: 30,
    minDays: 7,
    maxDays: LONGEST,
    stored: ['refused_webhook'],
    whyNotShorter: 'The gateway page shows the refused webhooks of the last seven days.',
  },
  webhook_deliveries: {
    of: 'merchant',
    defaultDays: 90,
    minDays: 7,
    maxDays: LONGEST,
    stored: ['merchant_event', 'webhook_delivery', 'webhook_delivery_attempt', 'webhook_resend'],
    whyNotShorter: 'A delivery is tried for 70 hours, and an endpoint is switched off after five days of failure.',
  },
  health_counts: {
    of: 'workspace',
    defaultDays: 31,
    minDays: 7,
    maxDays: 400,
    stored: ['health_bucket'],
    whyNotShorter: 'The state of an account is decided by its last days.',
  },
  health_events: {
    of: 'merchant',
    defaultDays: 400,
    minDays: 31,
    maxDays: LONGEST,
    stored: ['health_event'],
    whyNotShorter: 'The health page shows the states of the last 31 days.',
  },
  alerts: {
    of: 'merchant',
    defaultDays: 400,
    minDays: 31,
    maxDays: LONGEST,
    stored: ['incident', 'incident_note', 'incident_post_mortem', 'notification'],
    whyNotShorter: 'Counted from the end of an incident; incidents are reviewed by the month. Outages of gateways are kept.',
  },
  shadow_drafts: {
    of: 'merchant',
    defaultDays: 90,
    minDays: 7,
    maxDays: LONGEST,
    stored: ['shadow_run', 'shadow_decision'],
    whyNotShorter: 'Counted from the end of a run; what it found is read before the draft is published.',
  },
  canary_customers: {
    of: 'merchant',
    defaultDays: 90,
    minDays: 31,
    maxDays: LONGEST,
    stored: ['canary_unit', 'holdout_customer'],
    whyNotShorter: 'A customer counts once a month in what routing earned. Those of a canary count from its end; sums are kept.',
  },
  report_files: {
    of: 'merchant',
    defaultDays: 30,
    minDays: 7,
    maxDays: 90,
    stored: ['report_file'],
    whyNotShorter: 'A link to a file works for seven days.',
  },
  sign_in_records: {
    of: 'workspace',
    defaultDays: 30,
    minDays: 1,
    maxDays: 400,
    stored: ['staff_session', 'staff_verification', 'staff_link', 'staff_sign_in_limit'],
    whyNotShorter: 'Counted from the end of a session, link or limit.',
  },
  failed_jobs: {
    of: 'workspace',
    defaultDays: 30,
    minDays: 7,
    maxDays: 400,
    stored: ['graphile_worker jobs'],
    whyNotShorter: 'What failed for good is looked into first.',
  },
  api_requests: {
    of: 'merchant',
    defaultDays: 7,
    minDays: 1,
    maxDays: 30,
    stored: ['api_request'],
    whyNotShorter: 'What was refused is looked into on the day after.',
  },
  idempotency_records: {
    of: 'workspace',
    defaultDays: 1,
    minDays: 1,
    maxDays: 1,
    stored: ['idempotency_record'],
    whyNotShorter: 'The REST API promises 24 hours.',
  },
};

/** Data that no setting removes by age, with the reason. */
export const KEPT: readonly { readonly data: string; readonly tables: readonly string[]; readonly why: string }[] = [
  {
    data: 'Payments, attempts, refunds and duplicate payments',
    tables: [
      'payment',
      'attempt',
      'timeline_event',
      'refund',
      'refund_approval',
      'duplicate_charge',
      'repeated_payment',
      'payment_note',
    ],
    why: 'Accounting records, kept for at least six years (Companies and Allied Matters Act 2020, section 375).',
  },
  {
    data: 'Reconciliation and sums of reports',
    tables: ['reconciliation_run', 'reconciliation_discrepancy', 'payment_rollup', 'attempt_rollup'],
    why: 'Accounting records, made from payments. Sums hold no person.',
  },
  {
    data: 'Settlements',
    tables: ['settlement', 'settlement_line', 'settlement_discrepancy', 'payment_fee'],
    why: 'Accounting records: what a gateway paid out, line by line, as it came: a description may name a customer.',
  },
  {
    data: 'Disputes',
    tables: ['dispute', 'dispute_event', 'dispute_evidence', 'dispute_response'],
    why: 'Accounting records, with what was answered and shown as evidence: a bank may ask again. Erasing a customer removes files and texts.',
  },
  {
    data: 'Audit log',
    tables: ['audit_entry', 'audit_head'],
    why: 'A hash chain: an entry that is removed breaks it.',
  },
];
