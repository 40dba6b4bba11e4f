import { isUuid } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { RuleSetsContext } from '../context.ts';
import { readOpenShadowEnds } from '../shadow/queries.ts';
import { DRAFTS_MAX } from './create-draft.ts';
import { type DraftKey, isOwnWork, type RuleDraft, type RuleDraftInList, toDraft, toDraftInList } from './draft.ts';
import { findRuleSetById, listRuleDraftRows } from './queries.ts';

/** A draft in a list, with when its shadow run ends; null while none runs. */
export interface ListedRuleDraft extends RuleDraftInList {
  readonly shadowEndsAt: Date | null;
}

/** A merchant's drafts of one mode, scheduled ones too, last changed first; without their documents. */
export async function listDrafts(
  context: RuleSetsContext,
  query: { readonly merchantId: string; readonly mode: Mode },
): Promise<ListedRuleDraft[]> {
  const { database } = context.resources;
  const [rows, shadows] = await Promise.all([
    listRuleDraftRows(database, { merchantIds: [query.merchantId], mode: query.mode, limit: DRAFTS_MAX }),
    isUuid(query.merchantId) ? readOpenShadowEnds(database.prisma, query) : new Map<string, Date>(),
  ]);
  return rows.map(toDraftInList).map((draft) => ({ ...draft, shadowEndsAt: shadows.get(draft.draftId) ?? null }));
}

const UNPUBLISHED_MAX = 500;

/**
 * Drafts of these merchants that wait for a person to publish or continue them, last changed first: no scheduled ones, unless
 * their publication was refused, and no one that awaits the approval of others, unless it is the staff user's own work. At most 500.
 */
export async function listUnpublishedDrafts(
  context: RuleSetsContext,
  { staffId, ...query }: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly staffId: string },
): Promise<RuleDraftInList[]> {
  const rows = await listRuleDraftRows(context.resources.database, { ...query, limit: UNPUBLISHED_MAX });
  return rows
    .map(toDraftInList)
    .filter(({ state, scheduleRefusal }) => state === 'DRAFT' || scheduleRefusal !== null)
    .filter((draft) => draft.approval.state !== 'requested' || isOwnWork(draft, `staff:${staffId}`));
}

/** One draft with its document, whatever its `state` is now. Null when the merchant has none of that id. */
export async function findDraft(context: RuleSetsContext, { merchantId, draftId }: DraftKey): Promise<RuleDraft | null> {
  const row = await findRuleSetById(context.resources.database.prisma, merchantId, draftId);
  return row === null ? null : toDraft(row);
}
