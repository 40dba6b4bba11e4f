import type { Metadata } from 'next';
import { serverNow } from '#/clock/server-clock.ts';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { FeesPage } from './_components/fees-page.tsx';
import { feesQuery, loadFeesPage, toFeeFilter } from './filters.ts';

export const metadata: Metadata = { title: 'Fees' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/fees', searchParams);
  const { payment, ...filters } = await loadFeesPage(searchParams);
  const now = serverNow();
  const { fees } = serverTrpc();
  const queries = pageQueries();
  const filter = toFeeFilter(scope, filters, now);
  const contracts = queries.prefetchQuery(fees.contracts.queryOptions(scopeFilter(scope)));
  switch (filters.view) {
    case 'audit':
      await Promise.all([
        contracts,
        queries.prefetchQuery(fees.sums.queryOptions(filter)),
        queries.prefetchQuery(fees.months.queryOptions(filter)),
        queries.prefetchInfiniteQuery(feesQuery(serverTrpc(), scope, filters, now)),
        payment !== null && queries.prefetchQuery(fees.ofPayment.queryOptions({ paymentId: payment })),
      ]);
      break;
    case 'rates':
      await Promise.all([contracts, queries.prefetchQuery(fees.rates.queryOptions(filter))]);
      break;
    case 'contracts':
      await contracts;
      break;
    default:
      filters.view satisfies never;
  }
  return (
    <Prefetched>
      <FeesPage />
    </Prefetched>
  );
}
