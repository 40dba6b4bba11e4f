import type { Metadata } from 'next';
import { serverNow } from '#/clock/server-clock.ts';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { SettlementsPage } from './_components/settlements-page.tsx';
import { discrepanciesQuery, loadSettlementsPage, settlementsQuery, toSettlementFilter } from './filters.ts';

export const metadata: Metadata = { title: 'Settlements' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/settlements', searchParams);
  const { discrepancy, ...filters } = await loadSettlementsPage(searchParams);
  const now = serverNow();
  const { settlements } = serverTrpc();
  const queries = pageQueries();
  const accounts = queries.prefetchQuery(settlements.accounts.queryOptions(scopeFilter(scope)));
  switch (filters.view) {
    case 'settlements':
      await Promise.all([
        accounts,
        queries.prefetchQuery(settlements.explained.queryOptions(toSettlementFilter(scope, filters, now))),
        queries.prefetchInfiniteQuery(settlementsQuery(serverTrpc(), scope, filters, now)),
      ]);
      break;
    case 'discrepancies':
      await Promise.all([
        accounts,
        queries.prefetchInfiniteQuery(discrepanciesQuery(serverTrpc(), scope, filters)),
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
    <Prefetched>
      <SettlementsPage />
    </Prefetched>
  );
}
