import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { RequestsPage } from './_components/requests-page.tsx';
import { loadRequestsPage, toRequestsInput } from './filters.ts';

export const metadata: Metadata = { title: 'Requests' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/developers/requests', searchParams);
  const filters = await loadRequestsPage(searchParams);
  await pageQueries().prefetchInfiniteQuery(
    serverTrpc().requests.list.infiniteQueryOptions(toRequestsInput(scope, filters), {
      getNextPageParam: (page) => page.next ?? undefined,
    }),
  );
  return (
    <HydrationBoundary state={dehydrate(pageQueries())}>
      <RequestsPage publicUrl={publicUrl()} />
    </HydrationBoundary>
  );
}
