import type { Metadata } from 'next';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { DisputesPage } from './_components/disputes-page.tsx';
import { disputesQuery, loadDisputesPage, toCountsInput } from './filters.ts';

export const metadata: Metadata = { title: 'Disputes' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/disputes', searchParams);
  const filters = await loadDisputesPage(searchParams);
  const { disputes } = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(disputes.accounts.queryOptions(scopeFilter(scope))),
    queries.prefetchQuery(disputes.counts.queryOptions(toCountsInput(scope, filters))),
    queries.prefetchInfiniteQuery(disputesQuery(serverTrpc(), scope, filters)),
  ]);
  return (
    <Prefetched>
      <DisputesPage />
    </Prefetched>
  );
}
