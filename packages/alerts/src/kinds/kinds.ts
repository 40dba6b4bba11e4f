import { IncidentKind, type IncidentSeverity } from '@switchyard/db/client';
import { z } from 'zod';
import { apiKeyExpiring } from './api-key-expiring.ts';
import { approverLeft } from './approver-left.ts';
import { backlog } from './backlog.ts';
import { disputeDue, disputeOpened } from './disputes.ts';
import { correlatedOutage, credentialsRefused, gatewayDegraded, gatewayDown } from './gateways.ts';
import type { FindingText, Reader } from './kind.ts';
import { reconciliationDiscrepancy } from './reconciliation-discrepancy.ts';
import { refundApproval, refundControlWaiver } from './refund-approvals.ts';
import { repeatedPayment } from './repeated-payment.ts';
import { reportFailed } from './report-failed.ts';
import { reviewWaiver } from './review-waiver.ts';
import { approval, approvalWaiver, canaryEnded, draft, noSecondPerson } from './rules.ts';
import { breakGlassUsed, signInFromNewPlace } from './sign-ins.ts';
import { unknownErrorCode } from './unknown-error-code.ts';
import { duplicateCharge, paymentReview, refundStuck } from './unresolved-money.ts';
import { certificateExpiring, webhookEndpointFailing, webhookEndpointOff } from './webhook-endpoints.ts';

export type { IncidentKind, IncidentSeverity };

/** The kinds that open incidents. Their names with dashes are the anchors of docs/runbooks.md. */
export const INCIDENTS = {
  gateway_degraded: gatewayDegraded,
  gateway_down: gatewayDown,
  correlated_outage: correlatedOutage,
  duplicate_charge: duplicateCharge,
  repeated_payment: repeatedPayment,
  refund_stuck: refundStuck,
  payment_review: paymentReview,
  reconciliation_discrepancy: reconciliationDiscrepancy,
  webhook_endpoint_off: webhookEndpointOff,
  backlog,
  api_key_expiring: apiKeyExpiring,
  credentials_refused: credentialsRefused,
  certificate_expiring: certificateExpiring,
  sign_in_from_new_place: signInFromNewPlace,
  dispute_opened: disputeOpened,
  dispute_due: disputeDue,
  report_failed: reportFailed,
  canary_ended: canaryEnded,
  unknown_error_code: unknownErrorCode,
  break_glass_used: breakGlassUsed,
} satisfies Readonly<Record<IncidentKind, unknown>>;

/** The kinds that are a person's own work. */
export const TASKS = {
  webhook_endpoint_failing: webhookEndpointFailing,
  no_second_person: noSecondPerson,
  approver_left: approverLeft,
  approval,
  approval_waiver: approvalWaiver,
  draft,
  refund_approval: refundApproval,
  review_waiver: reviewWaiver,
  refund_control_waiver: refundControlWaiver,
};

export const KINDS = { ...INCIDENTS, ...TASKS };

/** A kind of finding that opens no incident. */
export type TaskKind = keyof typeof TASKS;

/** A kind of what needs attention. */
export type FindingKind = keyof typeof KINDS;

/** The names of all kinds that open incidents. */
export const INCIDENT_KINDS: readonly IncidentKind[] = Object.values(IncidentKind);

/** The names of all kinds of a person's own work. */
export const TASK_KINDS = Object.keys(TASKS).filter((kind): kind is TaskKind => Object.hasOwn(TASKS, kind));

/** Severities, the least severe first. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly IncidentSeverity[];

/** True if a severity is at least another. */
export function isAtLeast(severity: IncidentSeverity, least: IncidentSeverity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** The anchor of a kind in docs/runbooks.md: `gateway-down`. */
export function anchorOf(kind: IncidentKind): string {
  return kind.replaceAll('_', '-');
}

/** Facts of an incident; `unknown` those that this version cannot read. */
export type IncidentFacts = z.output<(typeof INCIDENTS)[IncidentKind]['facts']> | { readonly of: 'unknown' };

/** Facts of a finding. Those of a person's own work are never stored. */
export type FindingFacts = IncidentFacts | z.output<(typeof TASKS)[TaskKind]['facts']>;

const incidentFacts = z.union([...new Set(INCIDENT_KINDS.map((kind) => INCIDENTS[kind].facts))]);

/** Facts as they were stored; `unknown` where another version wrote them. */
export function readFacts(stored: unknown): IncidentFacts {
  const parsed = incidentFacts.safeParse(stored);
  return parsed.success ? parsed.data : { of: 'unknown' };
}

/** Describes a finding or an incident to a reader: of an outage of several merchants only the accounts of those they may know of. */
export function describeFinding(
  kind: FindingKind,
  facts: FindingFacts,
  { ended = false, ...reader }: Omit<Reader, 'ended'> & Partial<Reader>,
): FindingText {
  return (
    KINDS[kind].describe(facts, { ...reader, ended }) ?? {
      title: KINDS[kind].title,
      why: 'Another version of Switchyard found it; the dashboard shows what is known.',
      figures: [],
      action: { path: '/overview', query: {}, label: 'View overview' },
    }
  );
}
