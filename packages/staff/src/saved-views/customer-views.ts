import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

const ROWS_MAX = 100_000;

/** Ids of saved views that filter or search for one of these texts, in any case, or have it in their name. */
export async function findViewsNaming({ prisma }: Database, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const views = await prisma.savedView.findMany({ select: { id: true, name: true, query: true }, take: ROWS_MAX });
  const named = views.filter(({ name, query }) => {
    const values = [name, ...new URLSearchParams(query).values()].map((value) => value.toLowerCase());
    return values.some((value) => wanted.includes(value));
  });
  return named.map(({ id }) => id);
}

/** Deletes saved views. Returns how many. */
export async function removeViews(transaction: Prisma.TransactionClient, viewIds: readonly string[]): Promise<number> {
  const { count } = await transaction.savedView.deleteMany({ where: { id: { in: [...viewIds] } } });
  return count;
}
