import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { GatewaysPage } from './_components/gateways-page.tsx';
import { loadGatewaysPage, toWebhooksInput } from './address.ts';

export const metadata: Metadata = { title: 'Gateways' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/gateways', searchParams);
  const { account, ...filters } = await loadGatewaysPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.gateways.kinds.queryOptions()),
    queries.prefetchQuery(trpc.gateways.list.queryOptions(scope)),
    queries.prefetchQuery(trpc.gateways.use.queryOptions(scope)),
    queries.prefetchQuery(trpc.health.overview.queryOptions(scope)),
    account !== null && queries.prefetchQuery(trpc.gateways.usage.queryOptions({ accountId: account })),
    account !== null &&
      queries.prefetchInfiniteQuery(
        trpc.gateways.webhooks.infiniteQueryOptions(toWebhooksInput(account, filters), {
          getNextPageParam: (page) => page.next ?? undefined,
        }),
      ),
  ]);
  return (
    <Prefetched>
      <GatewaysPage />
    </Prefetched>
  );
}
