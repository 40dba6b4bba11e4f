import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { AuditPage } from './_components/audit-page.tsx';
import { loadAuditPage, toListInput } from './filters.ts';

export const metadata: Metadata = { title: 'Audit' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/audit', searchParams);
  const { sort, ...filters } = await loadAuditPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchInfiniteQuery(
      trpc.audit.list.infiniteQueryOptions(toListInput(scope, filters, sort), {
        getNextPageParam: (page) => page.next ?? undefined,
      }),
    ),
    queries.prefetchQuery(trpc.audit.chains.queryOptions({ merchantId: scope.merchantId })),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <AuditPage />
    </HydrationBoundary>
  );
}
