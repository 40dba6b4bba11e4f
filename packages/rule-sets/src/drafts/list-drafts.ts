import type { Mode } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';
import { DRAFTS_MAX } from './create-draft.ts';
import { type DraftKey, type RuleDraft, type RuleDraftInList, toDraft, toDraftInList } from './draft.ts';
import { findRuleSetById, listRuleDraftRows } from './queries.ts';

/** A merchant's drafts of one mode, scheduled ones too, last changed first; without their documents. */
export async function listDrafts(
  context: MerchantsContext,
  query: { readonly merchantId: string; readonly mode: Mode },
): Promise<RuleDraftInList[]> {
  const rows = await listRuleDraftRows(context.resources.database, query, DRAFTS_MAX);
  return rows.map(toDraftInList);
}

/** One draft with its document, whatever its `state` is now. Null when the merchant has none of that id. */
export async function findDraft(context: MerchantsContext, { merchantId, draftId }: DraftKey): Promise<RuleDraft | null> {
  const row = await findRuleSetById(context.resources.database.prisma, merchantId, draftId);
  return row === null ? null : toDraft(row);
}
