import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { RefundsPage } from './_components/refunds-page.tsx';
import { loadMoneyPage, toApprovalsInput, toChargesInput, toRefundsInput, toReviewsInput } from './filters.ts';

export const metadata: Metadata = { title: 'Refunds' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/refunds', searchParams);
  const { sort, ...filters } = await loadMoneyPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  const { refunds } = trpc;
  switch (filters.tab) {
    case 'refunds':
      await queries.prefetchInfiniteQuery(
        refunds.list.infiniteQueryOptions(toRefundsInput(scope, filters, sort), {
          getNextPageParam: (page) => page.next ?? undefined,
        }),
      );
      break;
    case 'approvals':
      await queries.prefetchInfiniteQuery(
        refunds.approvals.list.infiniteQueryOptions(toApprovalsInput(scope, filters, sort), {
          getNextPageParam: (page) => page.next ?? undefined,
        }),
      );
      break;
    case 'duplicates':
      await queries.prefetchInfiniteQuery(
        refunds.duplicates.list.infiniteQueryOptions(toChargesInput(scope, filters, sort), {
          getNextPageParam: (page) => page.next ?? undefined,
        }),
      );
      break;
    case 'reviews':
      await queries.prefetchInfiniteQuery(
        refunds.reviews.list.infiniteQueryOptions(toReviewsInput(scope, filters, sort), {
          getNextPageParam: (page) => page.next ?? undefined,
        }),
      );
      break;
    default:
      filters.tab satisfies never;
  }
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <RefundsPage />
    </HydrationBoundary>
  );
}
