import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { SettlementsPage } from './_components/settlements-page.tsx';
import { loadSettlementsPage, toDiscrepanciesInput, toSettlementFilter, toSettlementsInput } from './filters.ts';

export const metadata: Metadata = { title: 'Settlements' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/settlements', searchParams);
  const { discrepancy, ...filters } = await loadSettlementsPage(searchParams);
  const now = Date.now();
  const { settlements } = serverTrpc();
  const queries = pageQueries();
  const accounts = queries.prefetchQuery(settlements.accounts.queryOptions(scopeFilter(scope)));
  switch (filters.view) {
    case 'settlements':
      await Promise.all([
        accounts,
        queries.prefetchQuery(settlements.explained.queryOptions(toSettlementFilter(scope, filters, now))),
        queries.prefetchInfiniteQuery(
          settlements.list.infiniteQueryOptions(toSettlementsInput(scope, filters, now), {
            getNextPageParam: (page) => page.next ?? undefined,
          }),
        ),
      ]);
      break;
    case 'discrepancies':
      await Promise.all([
        accounts,
        queries.prefetchInfiniteQuery(
          settlements.discrepancies.list.infiniteQueryOptions(toDiscrepanciesInput(scope, filters), {
            getNextPageParam: (page) => page.next ?? undefined,
          }),
        ),
        discrepancy !== null &&
          queries.prefetchQuery(settlements.discrepancies.byId.queryOptions({ discrepancyId: discrepancy })),
      ]);
      break;
    case 'accounts':
      await accounts;
      break;
    default:
      filters.view satisfies never;
  }
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <SettlementsPage />
    </HydrationBoundary>
  );
}
