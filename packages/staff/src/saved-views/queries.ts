import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

/** Maximum number of one staff user's views of a page. */
const SAVED_VIEWS_MAX = 50;
const SHARED_MAX = 500;

/** A saved filter of a list. */
export interface SavedViewRow {
  readonly viewId: string;
  readonly page: string;
  readonly name: string;
  /** The page's own part of the URL. */
  readonly query: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly shared: boolean;
  readonly updatedAt: Date;
}

/** The staff user's own views of a page and shared views, by name. */
export async function listSavedViews({ prisma }: Database, page: string, staffId: string): Promise<SavedViewRow[]> {
  const rows = await prisma.savedView.findMany({
    where: { page, OR: [{ ownerId: staffId }, { shared: true }] },
    include: { owner: { select: { name: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: SAVED_VIEWS_MAX + SHARED_MAX,
  });
  return rows.map(({ id, owner, createdAt: _, ...row }) => ({ ...row, viewId: id, ownerName: owner.name }));
}

/** Saves a view, replacing the owner's view of that name. Returns its id, or null when the owner is at the maximum. */
export async function putSavedView(
  transaction: Prisma.TransactionClient,
  view: Pick<SavedViewRow, 'viewId' | 'page' | 'name' | 'query' | 'ownerId' | 'shared'>,
  now: Date,
): Promise<string | null> {
  const { viewId, page, name, ownerId, query, shared } = view;
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`views:${ownerId}`}, 0))`;
  const own = await transaction.savedView.findMany({ where: { page, ownerId }, select: { id: true, name: true } });
  const known = own.find((one) => one.name === name);
  if (known === undefined && own.length >= SAVED_VIEWS_MAX) return null;
  const data = { query, shared, updatedAt: now };
  if (known !== undefined) await transaction.savedView.update({ where: { id: known.id }, data });
  else await transaction.savedView.create({ data: { ...data, id: viewId, page, name, ownerId, createdAt: now } });
  return known?.id ?? viewId;
}

/** Deletes a view of this owner. Null where there is none. */
export async function deleteSavedView(
  transaction: Prisma.TransactionClient,
  key: { readonly viewId: string; readonly ownerId: string },
): Promise<{ readonly name: string } | null> {
  const where = { id: key.viewId, ownerId: key.ownerId };
  const found = await transaction.savedView.findFirst({ where, select: { name: true } });
  if (found !== null) await transaction.savedView.deleteMany({ where });
  return found;
}
