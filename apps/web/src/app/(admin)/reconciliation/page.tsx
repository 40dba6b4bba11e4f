import type { Metadata } from 'next';
import { serverNow } from '#/clock/server-clock.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { ReconciliationPage } from './_components/reconciliation-page.tsx';
import { discrepanciesQuery, loadReconciliationPage, shownDays, toAgeInput, toRunsInput } from './filters.ts';

export const metadata: Metadata = { title: 'Reconciliation' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/reconciliation', searchParams);
  const { discrepancy, ...filters } = await loadReconciliationPage(searchParams);
  const now = serverNow();
  const days = shownDays(filters, now);
  const { reconciliation } = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(reconciliation.accounts.queryOptions({ merchantId: scope.merchantId, mode: scope.mode })),
    queries.prefetchQuery(reconciliation.runs.queryOptions(toRunsInput(scope, days))),
    queries.prefetchInfiniteQuery(discrepanciesQuery(serverTrpc(), scope, filters, now)),
    queries.prefetchQuery(reconciliation.byAge.queryOptions(toAgeInput(scope, filters, now))),
    discrepancy !== null && queries.prefetchQuery(reconciliation.discrepancy.queryOptions({ discrepancyId: discrepancy })),
  ]);
  return (
    <Prefetched>
      <ReconciliationPage />
    </Prefetched>
  );
}
