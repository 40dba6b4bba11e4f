import { IncidentKind, type IncidentSeverity } from '@switchyard/db/client';
import type { Permission } from '@switchyard/staff/permissions';

export type { IncidentKind, IncidentSeverity };

/** Kinds of findings that are a person's own work: they are listed for whom they wait for, open no incident and send no message. */
export const TASK_KINDS = [
  'webhook_endpoint_failing',
  'no_second_person',
  'approval',
  'approval_waiver',
  'draft',
  'refund_approval',
  'review_waiver',
  'refund_control_waiver',
] as const;

/** A kind of finding that opens no incident. */
export type TaskKind = (typeof TASK_KINDS)[number];

/** A kind of what needs attention. */
export type FindingKind = IncidentKind | TaskKind;

/** Properties common to every finding of a kind. */
export interface KindOfFinding {
  readonly title: string;
  /** Unless its reader says otherwise. Information is work that waits without a fault. */
  readonly severity: IncidentSeverity;
  /** Who sees it: staff users who have this permission for its merchant, beside the one to read alerts. */
  readonly permission: Permission;
}

/** Properties common to every incident of a kind. */
export interface KindOfIncident extends KindOfFinding {
  /** False where nothing ends that anyone could be told of. */
  readonly sendsRecovery: boolean;
}

/** All kinds. The names of those that open incidents, with dashes, are the anchors of docs/alerts.md and of the runbooks. */
export const KINDS: Readonly<Record<IncidentKind, KindOfIncident> & Record<TaskKind, KindOfFinding>> = {
  gateway_degraded: { title: 'Gateway degraded', severity: 'warning', permission: 'health:read', sendsRecovery: true },
  gateway_down: { title: 'Gateway down', severity: 'critical', permission: 'health:read', sendsRecovery: true },
  correlated_outage: { title: 'Correlated outage', severity: 'critical', permission: 'health:read', sendsRecovery: true },
  duplicate_charge: { title: 'Duplicate payments', severity: 'warning', permission: 'payment:read', sendsRecovery: true },
  repeated_payment: { title: 'Order paid twice', severity: 'warning', permission: 'payment:read', sendsRecovery: false },
  refund_stuck: { title: 'Refunds stuck', severity: 'warning', permission: 'payment:read', sendsRecovery: true },
  payment_review: { title: 'Payments for review', severity: 'warning', permission: 'payment:read', sendsRecovery: true },
  reconciliation_discrepancy: {
    title: 'Reconciliation discrepancies',
    severity: 'warning',
    permission: 'report:read',
    sendsRecovery: true,
  },
  webhook_endpoint_off: {
    title: 'Webhook endpoint disabled',
    severity: 'warning',
    permission: 'webhook:read',
    sendsRecovery: true,
  },
  backlog: { title: 'Backlog', severity: 'critical', permission: 'system:read', sendsRecovery: true },
  api_key_expiring: { title: 'API key expires soon', severity: 'warning', permission: 'key:read', sendsRecovery: true },
  credentials_refused: {
    title: 'Gateway account out of rotation',
    severity: 'critical',
    permission: 'gateway:read',
    sendsRecovery: true,
  },
  certificate_expiring: {
    title: 'Certificate expires soon',
    severity: 'warning',
    permission: 'webhook:read',
    sendsRecovery: true,
  },
  sign_in_from_new_place: {
    title: 'Sign-in from a new location',
    severity: 'warning',
    permission: 'audit:read',
    sendsRecovery: false,
  },
  // Answering it, and its last hours, end this without anything to be told.
  dispute_opened: { title: 'Dispute opened', severity: 'warning', permission: 'payment:read', sendsRecovery: false },
  dispute_due: { title: 'Dispute due within 4 hours', severity: 'critical', permission: 'payment:read', sendsRecovery: true },
  report_failed: { title: 'Scheduled report failed', severity: 'warning', permission: 'report:export', sendsRecovery: true },
  webhook_endpoint_failing: { title: 'Webhook endpoint failing', severity: 'warning', permission: 'webhook:read' },
  no_second_person: { title: 'Second person missing', severity: 'warning', permission: 'routing:publish' },
  approval: { title: 'Approval requested', severity: 'info', permission: 'routing:publish' },
  approval_waiver: { title: 'Waiver requested', severity: 'info', permission: 'merchant:update' },
  draft: { title: 'Draft not published', severity: 'info', permission: 'routing:publish' },
  refund_approval: { title: 'Refunds to approve', severity: 'info', permission: 'payment:refund' },
  review_waiver: { title: 'Waiver of reviews requested', severity: 'info', permission: 'month:close' },
  refund_control_waiver: { title: 'Looser control of refunds requested', severity: 'info', permission: 'payment:refund' },
};

/** The names of all types that open incidents. */
export const INCIDENT_KINDS: readonly IncidentKind[] = Object.values(IncidentKind);

/** Severities, the least severe first. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly IncidentSeverity[];

/** True if a severity is at least another. */
export function isAtLeast(severity: IncidentSeverity, least: IncidentSeverity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** The anchor of a kind in docs/alerts.md and docs/runbooks.md: `gateway-down`. */
export function anchorOf(kind: IncidentKind): string {
  return kind.replaceAll('_', '-');
}
