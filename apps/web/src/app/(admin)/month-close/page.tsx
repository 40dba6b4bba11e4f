import type { Metadata } from 'next';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { MonthsPage } from './_components/months-page.tsx';

export const metadata: Metadata = { title: 'Month close' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/month-close', searchParams);
  const queries = pageQueries();
  await queries.prefetchQuery(serverTrpc().monthClose.list.queryOptions(scopeFilter(scope)));
  return (
    <Prefetched>
      <MonthsPage />
    </Prefetched>
  );
}
