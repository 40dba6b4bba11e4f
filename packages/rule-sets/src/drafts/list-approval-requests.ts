import type { Mode } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import type { RuleSetsContext } from '../context.ts';
import { listApprovalRequestRows } from './queries.ts';
import { openRulesWaiver } from './rules-approval.ts';

/** A draft that waits for approval. */
export interface ApprovalRequest {
  readonly draftId: string;
  readonly merchantId: string;
  /** The draft's name, or null. */
  readonly name: string | null;
  /** Null for a deleted user. */
  readonly requesterName: string | null;
  readonly requestedAt: Date;
}

/** An open request to let one person publish rules. */
export interface WaiverRequest {
  readonly merchantId: string;
  readonly requesterName: string | null;
  readonly requestedAt: Date;
  readonly until: Date;
}

const REQUESTS_MAX = 50;

/** Requests for approval that this user can answer, oldest first: drafts they wrote in or requested are left out. At most 50. */
export async function listApprovalRequests(
  context: RuleSetsContext,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly staffId: string },
): Promise<ApprovalRequest[]> {
  const { merchantIds, mode, staffId } = query;
  const { database } = context.resources;
  const where = { merchantIds, mode, exceptOwnWorkOf: `staff:${staffId}`, limit: REQUESTS_MAX };
  const rows = await listApprovalRequestRows(database, where);
  const nameOf = await requesterNames(
    context,
    rows.map(({ requestedBy }) => requestedBy),
  );
  return rows.map(({ id, merchantId, name, requestedBy, requestedAt }) => ({
    draftId: id,
    merchantId,
    name,
    requesterName: nameOf(requestedBy),
    requestedAt,
  }));
}

/** Other users' open requests to let one person publish, of these merchants. */
export async function listWaiverRequests(
  context: RuleSetsContext,
  query: { readonly merchantIds: readonly string[]; readonly staffId: string },
): Promise<WaiverRequest[]> {
  const now = context.now();
  const { configuration } = context.resources;
  const found = query.merchantIds.flatMap((merchantId) => {
    const merchant = configuration.merchant(merchantId)?.merchant;
    const waiver = merchant === undefined ? null : openRulesWaiver(merchant, now);
    return waiver === null || waiver.requestedBy === `staff:${query.staffId}` ? [] : [{ merchantId, ...waiver }];
  });
  const nameOf = await requesterNames(
    context,
    found.map(({ requestedBy }) => requestedBy),
  );
  return found.map(({ merchantId, requestedBy, requestedAt, until }) => ({
    merchantId,
    requesterName: nameOf(requestedBy),
    requestedAt,
    until,
  }));
}

async function requesterNames(
  { resources }: RuleSetsContext,
  actors: readonly string[],
): Promise<(actor: string) => string | null> {
  const staffIdOf = (actor: string) => actor.replace(/^staff:/, '');
  const names = await readStaffNames(resources.database, actors.map(staffIdOf));
  return (actor) => names.get(staffIdOf(actor)) ?? null;
}
