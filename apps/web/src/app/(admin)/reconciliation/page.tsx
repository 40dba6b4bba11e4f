import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { ReconciliationPage } from './_components/reconciliation-page.tsx';
import { loadReconciliationPage, shownDays, toAgeInput, toDiscrepanciesInput, toRunsInput } from './filters.ts';

export const metadata: Metadata = { title: 'Reconciliation' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/reconciliation', searchParams);
  const { discrepancy, ...filters } = await loadReconciliationPage(searchParams);
  const now = Date.now();
  const days = shownDays(filters, now);
  const { reconciliation } = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(reconciliation.accounts.queryOptions({ merchantId: scope.merchantId, mode: scope.mode })),
    queries.prefetchQuery(reconciliation.runs.queryOptions(toRunsInput(scope, days))),
    queries.prefetchInfiniteQuery(
      reconciliation.discrepancies.infiniteQueryOptions(toDiscrepanciesInput(scope, filters, now), {
        getNextPageParam: (page) => page.next ?? undefined,
      }),
    ),
    queries.prefetchQuery(reconciliation.byAge.queryOptions(toAgeInput(scope, filters, now))),
    discrepancy !== null && queries.prefetchQuery(reconciliation.discrepancy.queryOptions({ discrepancyId: discrepancy })),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <ReconciliationPage />
    </HydrationBoundary>
  );
}
