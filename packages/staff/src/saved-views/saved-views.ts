import { type Database, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';

/** Maximum number of one staff user's views of a page. */
const SAVED_VIEWS_MAX = 50;
const SHARED_MAX = 500;

/** A saved filter of a list. */
interface SavedViewRow {
  readonly viewId: string;
  readonly page: string;
  readonly name: string;
  /** The page's own part of the URL. */
  readonly query: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly shared: boolean;
}

/** The staff user's own views of a page and shared views, by name. */
async function listSavedViews({ prisma }: Database, page: string, staffId: string): Promise<SavedViewRow[]> {
  const rows = await prisma.savedView.findMany({
    where: { page, OR: [{ ownerId: staffId }, { shared: true }] },
    include: { owner: { select: { name: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: SAVED_VIEWS_MAX + SHARED_MAX,
  });
  return rows.map(({ id, owner, ...row }) => ({ ...row, viewId: id, ownerName: owner.name }));
}

/** Saves a view, replacing the owner's view of that name. Returns its id, or null when the owner is at the maximum. */
async function putSavedView(
  transaction: Prisma.TransactionClient,
  view: Pick<SavedViewRow, 'viewId' | 'page' | 'name' | 'query' | 'ownerId' | 'shared'>,
): Promise<string | null> {
  const { viewId, page, name, ownerId, query, shared } = view;
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`views:${ownerId}`}, 0))`;
  const own = await transaction.savedView.findMany({ where: { page, ownerId }, select: { id: true, name: true } });
  const known = own.find((one) => one.name === name);
  if (known === undefined && own.length >= SAVED_VIEWS_MAX) return null;
  const data = { query, shared };
  if (known !== undefined) await transaction.savedView.update({ where: { id: known.id }, data });
  else await transaction.savedView.create({ data: { ...data, id: viewId, page, name, ownerId } });
  return known?.id ?? viewId;
}

/** Deletes a view of this owner. Null where there is none. */
async function deleteSavedView(
  transaction: Prisma.TransactionClient,
  key: { readonly viewId: string; readonly ownerId: string },
): Promise<{ readonly name: string } | null> {
  const where = { id: key.viewId, ownerId: key.ownerId };
  const found = await transaction.savedView.findFirst({ where, select: { name: true } });
  if (found !== null) await transaction.savedView.deleteMany({ where });
  return found;
}

/** A list filter to save. */
interface SaveViewCommand {
  readonly page: string;
  /** 1 to 60 characters; the owner's own view of that name is replaced. */
  readonly name: string;
  /** The page's own part of the URL. */
  readonly query: string;
  readonly shared: boolean;
  readonly staffId: string;
}

/** Result of saving a view. */
type SaveViewOutcome =
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
    const viewId = await putSavedView(transaction, { ...view, ownerId, viewId: context.newId() });
    if (viewId === null) return { kind: 'too_many' };
    // Only the names of filters: the text of a search may be a customer, and entries never change.
    const { query, ...rest } = view;
    const after = { ...rest, filters: [...new URLSearchParams(query).keys()] };
    const object = { objectType: 'saved_view', objectId: viewId, before: null, after };
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

const ROWS_MAX = 100_000;

/** Texts within others that are looked for; shorter ones are the whole of a value. */
const WITHIN_MIN = 5;

/** Ids of saved views that filter or search for one of these texts, in any case, or have it in their name. */
export async function findViewsNaming({ prisma }: Database, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const views = await prisma.savedView.findMany({ select: { id: true, name: true, query: true }, take: ROWS_MAX });
  const named = views.filter(({ name, query }) => {
    const values = [name, ...new URLSearchParams(query).values()].map((value) => value.toLowerCase());
    return values.some((value) => wanted.some((text) => isNamedIn(value, text)));
  });
  return named.map(({ id }) => id);
}

/** True if a text is in another as words of its own: a number is not in a longer one. */
function isNamedIn(value: string, text: string): boolean {
  if (text.length < WITHIN_MIN) return value === text;
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  for (let at = value.indexOf(text); at >= 0; at = value.indexOf(text, at + 1)) {
    if (!isWord(value[at - 1]) && !isWord(value[at + text.length])) return true;
  }
  return false;
}

/** Deletes saved views. Returns how many. */
export async function removeViews(transaction: Prisma.TransactionClient, viewIds: readonly string[]): Promise<number> {
  const { count } = await transaction.savedView.deleteMany({ where: { id: { in: [...viewIds] } } });
  return count;
}
