import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { RefundsPage } from './_components/refunds-page.tsx';
import { approvalsQuery, chargesQuery, loadMoneyPage, refundsQuery, reviewsQuery } from './filters.ts';

export const metadata: Metadata = { title: 'Refunds' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/refunds', searchParams);
  const { sort, ...filters } = await loadMoneyPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  switch (filters.tab) {
    case 'refunds':
      await queries.prefetchInfiniteQuery(refundsQuery(trpc, scope, filters, sort));
      break;
    case 'approvals':
      await queries.prefetchInfiniteQuery(approvalsQuery(trpc, scope, filters, sort));
      break;
    case 'duplicates':
      await queries.prefetchInfiniteQuery(chargesQuery(trpc, scope, filters, sort));
      break;
    case 'reviews':
      await queries.prefetchInfiniteQuery(reviewsQuery(trpc, scope, filters, sort));
      break;
    default:
      filters.tab satisfies never;
  }
  return (
    <Prefetched>
      <RefundsPage />
    </Prefetched>
  );
}
