import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';
import type { RuleSetSummary } from '../versions/queries.ts';
import { findRuleSetById } from './queries.ts';

/** State of a draft's approval by a second person. */
export type DraftApproval =
  | { readonly state: 'none' }
  | { readonly state: 'requested'; readonly requestedBy: string; readonly requestedAt: Date }
  | { readonly state: 'approved'; readonly requestedBy: string; readonly by: string; readonly at: Date }
  | {
      readonly state: 'rejected';
      readonly requestedBy: string;
      readonly by: string;
      readonly at: Date;
      readonly reason: string | null;
    };

/** A rule set in progress. */
export interface RuleDraftInList {
  readonly draftId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly name: string | null;
  /** `SCHEDULED` drafts are published automatically at `publishAt` and cannot be edited until their schedule is cancelled. */
  readonly state: RuleSetVersion['state'];
  /** Raised by every save; callers that save, publish or approve send the revision they read. */
  readonly revision: number;
  /** The published version it is based on; 0 for none. */
  readonly baseVersion: number;
  /** The earlier version it began as a copy of, or null. */
  readonly restoredVersion: number | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly savedBy: string;
  /** All users who wrote in it; none of them can approve it. */
  readonly editors: readonly string[];
  readonly approval: DraftApproval;
  readonly publishAt: Date | null;
  readonly scheduledBy: string | null;
  /** Why it was not published at its scheduled time; null when that never happened, or it was saved or scheduled since. */
  readonly scheduleRefusal: ScheduleRefusal | null;
  readonly updatedAt: Date;
}

/** A draft with its document. */
export interface RuleDraft extends RuleDraftInList {
  /** `{ rules, defaultOrder, expectations? }` as saved, which need not be valid yet. */
  readonly document: unknown;
}

/** Why a scheduled publication did not happen. */
export interface ScheduleRefusal {
  /** When publishing was tried, ISO 8601. */
  readonly at: string;
  readonly kind: string;
  /** One sentence. */
  readonly message: string;
}

/** Why an operation on a draft was refused. Nothing was changed. */
export type DraftRefusal =
  | { readonly kind: 'not_found' }
  /** It is scheduled, was published or was discarded meanwhile. */
  | { readonly kind: 'not_a_draft'; readonly state: RuleSetVersion['state'] }
  /** It was saved since the revision sent: this is the present draft. Nothing was overwritten. */
  | { readonly kind: 'stale'; readonly draft: RuleDraft };

/** Identifies a draft of a merchant. */
export interface DraftKey {
  readonly merchantId: string;
  readonly draftId: string;
}

type FoundDraft = { readonly kind: 'found'; readonly row: RuleSetVersion } | DraftRefusal;

/** Finds a draft at the revision the caller read, or the refusal. Call it under the merchant's configuration lock. */
export async function findOpenDraft(
  transaction: Prisma.TransactionClient,
  { merchantId, draftId, revision }: DraftKey & { readonly revision: number },
): Promise<FoundDraft> {
  const row = await findRuleSetById(transaction, merchantId, draftId);
  if (row === null) return { kind: 'not_found' };
  if (row.state !== 'DRAFT') return { kind: 'not_a_draft', state: row.state };
  if (row.revision !== revision) return { kind: 'stale', draft: toDraft(row) };
  return { kind: 'found', row };
}

/** True if an actor edited a draft or requested its approval, and therefore cannot approve it. */
export function isOwnWork(
  { createdBy, editors, approval }: Pick<RuleDraftInList, 'createdBy' | 'editors' | 'approval'>,
  actor: string,
): boolean {
  return createdBy === actor || editors.includes(actor) || (approval.state !== 'none' && approval.requestedBy === actor);
}

/** Approval columns after a write: an approval is for exactly one document. */
export const NO_APPROVAL = {
  approvalRequestedBy: null,
  approvalRequestedAt: null,
  approvedBy: null,
  approvedAt: null,
  rejectedBy: null,
  rejectedAt: null,
  rejectionReason: null,
};

/** A draft with its document, as stored. */
export function toDraft(row: RuleSetVersion): RuleDraft {
  return { ...toDraftInList(row), document: row.document };
}

/** A draft without its document. */
export function toDraftInList(row: RuleSetSummary): RuleDraftInList {
  return {
    draftId: row.id,
    merchantId: row.merchantId,
    mode: row.mode,
    name: row.name,
    state: row.state,
    revision: row.revision,
    baseVersion: row.baseVersion,
    restoredVersion: row.restoredVersion,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    savedBy: row.savedBy ?? row.createdBy,
    editors: row.editors,
    approval: approvalOf(row),
    publishAt: row.publishAt,
    scheduledBy: row.scheduledBy,
    scheduleRefusal: refusalOf(row.scheduleRefusal),
    updatedAt: row.updatedAt,
  };
}

/** The state of the approval of a draft. An approval or rejection takes precedence over the request that it answers. */
export function approvalOf(row: RuleSetSummary): DraftApproval {
  const { approvalRequestedBy: requestedBy, approvalRequestedAt: requestedAt } = row;
  if (requestedBy === null || requestedAt === null) return { state: 'none' };
  if (row.approvedBy !== null && row.approvedAt !== null) {
    return { state: 'approved', requestedBy, by: row.approvedBy, at: row.approvedAt };
  }
  if (row.rejectedBy !== null && row.rejectedAt !== null) {
    return { state: 'rejected', requestedBy, by: row.rejectedBy, at: row.rejectedAt, reason: row.rejectionReason };
  }
  return { state: 'requested', requestedBy, requestedAt };
}

function refusalOf(stored: RuleSetSummary['scheduleRefusal']): ScheduleRefusal | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  return { at: String(stored.at), kind: String(stored.kind), message: String(stored.message) };
}
