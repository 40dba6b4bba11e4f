import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { FeesPage } from './_components/fees-page.tsx';
import { loadFeesPage, toFeeFilter, toFeesInput } from './filters.ts';

export const metadata: Metadata = { title: 'Fees' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/fees', searchParams);
  const { payment, ...filters } = await loadFeesPage(searchParams);
  const now = Date.now();
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
        queries.prefetchInfiniteQuery(
          fees.list.infiniteQueryOptions(toFeesInput(scope, filters, now), {
            getNextPageParam: (page) => page.next ?? undefined,
          }),
        ),
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
    <HydrationBoundary state={dehydrate(queries)}>
      <FeesPage />
    </HydrationBoundary>
  );
}
