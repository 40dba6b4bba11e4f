import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { changeTeam } from '../grants/change-team.ts';

/** Maximum number of one staff user's views of a page. */
const SAVED_VIEWS_MAX = 50;
const SHARED_MAX = 500;

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

/** The staff user's own views of a page, and those that others share, by name. */
export async function listViews({ resources }: StaffContext, { page, staffId }: Pick<SaveViewCommand, 'page' | 'staffId'>) {
  const rows = await resources.database.prisma.savedView.findMany({
    where: { page, OR: [{ ownerId: staffId }, { shared: true }] },
    include: { owner: { select: { name: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: SAVED_VIEWS_MAX + SHARED_MAX,
  });
  return rows.map(({ id: viewId, owner, ...row }) => ({ ...row, viewId, ownerName: owner.name }));
}

/** Saves a view under its name, private or shared. */
export async function saveView(context: StaffContext, command: SaveViewCommand): Promise<SaveViewOutcome> {
  const { staffId: ownerId, page, name, query, shared } = command;
  return changeTeam<SaveViewOutcome>(context, `staff:${ownerId}`, async ({ savedView }) => {
    const own = await savedView.findMany({ where: { page, ownerId }, select: { id: true, name: true } });
    const known = own.find((one) => one.name === name);
    if (known === undefined && own.length >= SAVED_VIEWS_MAX) return { outcome: { kind: 'too_many' } };
    const id = known?.id ?? context.newId();
    await savedView.upsert({ where: { id }, create: { id, page, name, ownerId, query, shared }, update: { query, shared } });
    // Only the names of filters: the text of a search may be a customer, and entries never change.
    const after = { page, name, shared, filters: [...new URLSearchParams(query).keys()] };
    return {
      outcome: { kind: 'saved', viewId: id },
      audit: { action: 'saved_view.saved', objectType: 'saved_view', objectId: id, before: null, after },
    };
  });
}

/** Deletes one of the staff user's own views. */
export async function removeView(
  context: StaffContext,
  { viewId, staffId: ownerId }: { readonly viewId: string; readonly staffId: string },
): Promise<{ readonly kind: 'removed' | 'not_found' }> {
  return changeTeam<{ readonly kind: 'removed' | 'not_found' }>(context, `staff:${ownerId}`, async ({ savedView }) => {
    const before = await savedView.findFirst({ where: { id: viewId, ownerId }, select: { name: true } });
    if (before === null) return { outcome: { kind: 'not_found' } };
    await savedView.delete({ where: { id: viewId } });
    return {
      outcome: { kind: 'removed' },
      audit: { action: 'saved_view.removed', objectType: 'saved_view', objectId: viewId, before, after: null },
    };
  });
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
