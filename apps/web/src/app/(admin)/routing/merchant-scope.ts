import { redirect } from 'next/navigation';
import type { Mode } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.tsx';

/** The merchant a routing page is about, or that one has to be chosen. A user with a single merchant needs no choice. */
export async function merchantScope(
  path: string,
  searchParams: PageQuery,
): Promise<{ readonly kind: 'one'; readonly merchantId: string; readonly mode: Mode } | { readonly kind: 'choose' }> {
  const { merchantId, mode } = await requireScope(path, searchParams);
  const merchants = await pageQueries().fetchQuery(serverTrpc().merchants.list.queryOptions());
  if (merchantId !== null && merchants.some((merchant) => merchant.merchantId === merchantId))
    return { kind: 'one', merchantId, mode };
  const [only, ...others] = merchants;
  if (only !== undefined && others.length === 0) {
    const search = new URLSearchParams({ mode, merchant: only.merchantId });
    for (const [name, value] of Object.entries(await searchParams)) {
      if (!search.has(name) && typeof value === 'string') search.set(name, value);
    }
    redirect(`${path}?${search}`);
  }
  return { kind: 'choose' };
}
