import { listReviewWaivers } from '@switchyard/accounting/month-close';
import { listRefundControlWaivers, sumRefundsToApprove } from '@switchyard/payments/console/refund-control';
import { listApprovalRequests, listUnpublishedDrafts, listWaiverRequests } from '@switchyard/rule-sets/drafts';
import { listMerchantsWithoutSecondApprover } from '@switchyard/staff/grants';
import { listEndpoints } from '@switchyard/webhooks/endpoints';
import type { AttentionContext } from '../context.ts';
import type { Task, TaskQuery } from './finding.ts';
import { KINDS } from './kinds.ts';

/** Webhook endpoints that are on and whose deliveries fail; those that were switched off because of it are conditions. */
export async function failingEndpoints(context: AttentionContext, { merchantIds, mode }: TaskQuery): Promise<Task[]> {
  const endpoints = await listEndpoints(context, { merchantIds, mode, inTrouble: true });
  return endpoints.flatMap(({ merchantId, id, url, enabled, failingSince, traffic: { attempts, delivered, waiting } }) => {
    if (!enabled) return [];
    const host = URL.parse(url)?.host ?? '';
    const facts = { of: 'failing_endpoint', endpointId: id, host, attempts, failed: attempts - delivered, waiting } as const;
    const { severity } = KINDS.webhook_endpoint_failing;
    return [{ merchantId, mode, kind: 'webhook_endpoint_failing', subject: id, severity, since: failingSince, facts }];
  });
}

/** Merchants whose rules cannot be published, since no other person can approve them any more. */
export async function missingSecondPersons(context: AttentionContext, { merchantIds, mode }: TaskQuery): Promise<Task[]> {
  const found = await listMerchantsWithoutSecondApprover(context, merchantIds);
  return found.map((merchantId) => ({
    merchantId,
    mode,
    kind: 'no_second_person',
    subject: '',
    severity: KINDS.no_second_person.severity,
    since: null,
    facts: { of: 'no_second_person' },
  }));
}

/** Drafts that a colleague asks the staff user to approve. */
export async function approvals(context: AttentionContext, query: TaskQuery): Promise<Task[]> {
  const found = await listApprovalRequests(context, query);
  return found.map(({ draftId, merchantId, name, requesterName, requestedAt }) => ({
    merchantId,
    mode: query.mode,
    kind: 'approval',
    subject: draftId,
    severity: KINDS.approval.severity,
    since: requestedAt,
    facts: { of: 'approval', name, requesterName },
  }));
}

/** Requests of a colleague to let one person publish rules. */
export async function approvalWaivers(context: AttentionContext, query: TaskQuery): Promise<Task[]> {
  const found = await listWaiverRequests(context, query);
  return found.map(({ merchantId, requesterName, requestedAt }) => ({
    merchantId,
    mode: query.mode,
    kind: 'approval_waiver',
    subject: '',
    severity: KINDS.approval_waiver.severity,
    since: requestedAt,
    facts: { of: 'approval_waiver', requesterName },
  }));
}

/** Drafts of rules that wait for a person to publish or continue them. */
export async function drafts(context: AttentionContext, query: TaskQuery): Promise<Task[]> {
  const found = await listUnpublishedDrafts(context, query);
  return found.map(({ draftId, merchantId, name, createdAt, scheduleRefusal, approval }) => ({
    merchantId,
    mode: query.mode,
    kind: 'draft',
    subject: draftId,
    severity: KINDS.draft.severity,
    since: createdAt,
    facts: { of: 'draft', draftId, name, state: scheduleRefusal === null ? approval.state : 'schedule_refused' },
  }));
}

/** Refunds that a colleague requested and the staff user can approve: one line per merchant, with count and sums. */
export async function refundApprovals(context: AttentionContext, query: TaskQuery): Promise<Task[]> {
  const found = Map.groupBy(await sumRefundsToApprove(context, query), ({ merchantId }) => merchantId);
  return [...found].map(([merchantId, rows]) => {
    const since = new Date(Math.min(...rows.map(({ oldestAt }) => oldestAt.getTime())));
    const amounts = rows.map(({ currency, amount, count }) => ({ currency, amount, count }));
    const count = rows.reduce((sum, row) => sum + row.count, 0);
    return {
      merchantId,
      mode: query.mode,
      kind: 'refund_approval',
      subject: '',
      severity: KINDS.refund_approval.severity,
      since,
      facts: { of: 'refund_approval', count, amounts, oldestAt: since.toISOString() },
    };
  });
}

/** Requests of a colleague to let one person sign months off. */
export async function reviewWaivers(context: AttentionContext, query: TaskQuery): Promise<Task[]> {
  const found = await listReviewWaivers(context, query);
  return found.map(({ merchantId, requesterName, requestedAt }) => ({
    merchantId,
    mode: query.mode,
    kind: 'review_waiver',
    subject: '',
    severity: KINDS.review_waiver.severity,
    since: requestedAt,
    facts: { of: 'review_waiver', requesterName },
  }));
}

/** Requests of a colleague to let one person refund more. */
export async function refundControlWaivers(context: AttentionContext, query: TaskQuery): Promise<Task[]> {
  const found = await listRefundControlWaivers(context, query);
  return found.map(({ merchantId, requesterName, requestedAt, above, wanted }) => ({
    merchantId,
    mode: query.mode,
    kind: 'refund_control_waiver',
    subject: '',
    severity: KINDS.refund_control_waiver.severity,
    since: requestedAt,
    facts: {
      of: 'refund_control_waiver',
      merchantId,
      requesterName,
      above: Number(above),
      wanted: wanted === null ? null : Number(wanted),
    },
  }));
}
