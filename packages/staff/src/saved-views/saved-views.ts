import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { StaffContext } from '../context.ts';
import { deleteSavedView, listSavedViews, putSavedView, type SavedViewRow } from './queries.ts';

/** A list filter to save. */
export interface SaveViewCommand {
  readonly page: string;
  /** 1 to 60 characters; the owner's own view of that name is replaced. */
  readonly name: string;
  /** The page's own part of the URL. */
  readonly query: string;
  readonly shared: boolean;
  readonly staffId: string;
}

/** Result of saving a view. */
export type SaveViewOutcome =
  | { readonly kind: 'saved'; readonly viewId: string }
  /** The staff user has reached the maximum. */
  | { readonly kind: 'too_many' };

/** The staff user's own views of a page, and those that others share. */
export function listViews(
  context: StaffContext,
  { page, staffId }: Pick<SaveViewCommand, 'page' | 'staffId'>,
): Promise<readonly SavedViewRow[]> {
  return listSavedViews(context.resources.database, page, staffId);
}

/** Saves a view under its name, private or shared. */
export async function saveView(context: StaffContext, command: SaveViewCommand): Promise<SaveViewOutcome> {
  const { staffId: ownerId, ...view } = command;
  const now = context.now();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const viewId = await putSavedView(transaction, { ...view, ownerId, viewId: context.newId() }, now);
    if (viewId === null) return { kind: 'too_many' };
    const object = { objectType: 'saved_view', objectId: viewId, before: null, after: { ...view } };
    await appendAuditEntry(
      transaction,
      context.resources.auditKeys,
      { ...entryOf(context, ownerId), action: 'saved_view.saved', ...object },
      now,
    );
    return { kind: 'saved', viewId };
  });
}

/** Deletes one of the staff user's own views. */
export async function removeView(
  context: StaffContext,
  { viewId, staffId: ownerId }: { readonly viewId: string; readonly staffId: string },
): Promise<{ readonly kind: 'removed' | 'not_found' }> {
  const now = context.now();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const removed = await deleteSavedView(transaction, { viewId, ownerId });
    if (removed === null) return { kind: 'not_found' };
    const object = { objectType: 'saved_view', objectId: viewId, before: { ...removed }, after: null };
    await appendAuditEntry(
      transaction,
      context.resources.auditKeys,
      { ...entryOf(context, ownerId), action: 'saved_view.removed', ...object },
      now,
    );
    return { kind: 'removed' };
  });
}

/** Views belong to no merchant. */
function entryOf(context: StaffContext, staffId: string) {
  return { tenantId: NIL_ID, entryId: context.newId(), actor: `staff:${staffId}` };
}
