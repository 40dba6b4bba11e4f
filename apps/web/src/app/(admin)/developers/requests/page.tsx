import type { Metadata } from 'next';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { RequestsPage } from './_components/requests-page.tsx';
import { loadRequestsPage, requestsQuery } from './filters.ts';

export const metadata: Metadata = { title: 'Requests' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/developers/requests', searchParams);
  const filters = await loadRequestsPage(searchParams);
  await pageQueries().prefetchInfiniteQuery(requestsQuery(serverTrpc(), scope, filters));
  return (
    <Prefetched>
      <RequestsPage publicUrl={publicUrl()} />
    </Prefetched>
  );
}
