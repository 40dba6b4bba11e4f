import { IncidentKind, type IncidentSeverity } from '@switchyard/db/client';

export type { IncidentKind, IncidentSeverity };

/** Properties common to every incident of a kind. */
export interface KindOfIncident {
  readonly title: string;
  /** When it opens, unless its condition says otherwise. */
  readonly severity: IncidentSeverity;
  /** False where nothing ends that anyone could be told of. */
  readonly sendsRecovery: boolean;
}

/** All kinds. Their names, with dashes, are the anchors of docs/alerts.md and of the runbooks. */
export const KINDS: Readonly<Record<IncidentKind, KindOfIncident>> = {
  gateway_degraded: { title: 'Gateway degraded', severity: 'warning', sendsRecovery: true },
  gateway_down: { title: 'Gateway down', severity: 'critical', sendsRecovery: true },
  correlated_outage: { title: 'Correlated outage', severity: 'critical', sendsRecovery: true },
  duplicate_charge: { title: 'Duplicate payments', severity: 'warning', sendsRecovery: true },
  refund_stuck: { title: 'Refunds stuck', severity: 'warning', sendsRecovery: true },
  payment_review: { title: 'Payments for review', severity: 'warning', sendsRecovery: true },
  reconciliation_discrepancy: { title: 'Reconciliation discrepancies', severity: 'warning', sendsRecovery: true },
  webhook_endpoint_off: { title: 'Webhook endpoint switched off', severity: 'warning', sendsRecovery: true },
  backlog: { title: 'Backlog', severity: 'critical', sendsRecovery: true },
  api_key_expiring: { title: 'API key expires soon', severity: 'warning', sendsRecovery: true },
  credentials_refused: { title: 'Gateway account out of rotation', severity: 'critical', sendsRecovery: true },
  certificate_expiring: { title: 'Certificate expires soon', severity: 'warning', sendsRecovery: true },
  sign_in_from_new_place: { title: 'Sign-in from a new place', severity: 'warning', sendsRecovery: false },
};

/** The names of all kinds. */
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
