import type { Metadata } from 'next';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { HistoryPage } from '../_components/history/history-page.tsx';
import { ChooseMerchant } from '../_components/list/choose-merchant.tsx';
import { merchantScope } from '../merchant-scope.ts';

export const metadata: Metadata = { title: 'History of rules' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await merchantScope('/routing/history', searchParams);
  if (scope.kind === 'choose') return <ChooseMerchant path="/routing/history" />;
  const { merchantId, mode } = scope;
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.me.queryOptions()),
    queries.prefetchQuery(trpc.routing.live.queryOptions({ merchantId, mode })),
    queries.prefetchQuery(trpc.routing.access.queryOptions({ merchantId })),
    queries.prefetchInfiniteQuery(
      trpc.routing.versions.list.infiniteQueryOptions(
        { merchantId, mode, limit: 30 },
        { getNextPageParam: (page) => page.next ?? undefined },
      ),
    ),
  ]);
  return (
    <Prefetched>
      <HistoryPage key={`${merchantId} ${mode}`} />
    </Prefetched>
  );
}
