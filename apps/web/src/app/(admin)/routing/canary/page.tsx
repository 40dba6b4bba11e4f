import type { Metadata } from 'next';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { CanaryPage } from '../_components/canary/canary-page.tsx';
import { ChooseMerchant } from '../_components/list/choose-merchant.tsx';
import { merchantScope } from '../merchant-scope.ts';

export const metadata: Metadata = { title: 'Trials of rules' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await merchantScope('/routing/canary', searchParams);
  if (scope.kind === 'choose') return <ChooseMerchant path="/routing/canary" />;
  const { merchantId, mode } = scope;
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.me.queryOptions()),
    queries.prefetchQuery(trpc.routing.access.queryOptions({ merchantId })),
    queries.prefetchQuery(trpc.routing.canaries.list.queryOptions({ merchantId, mode })),
  ]);
  return (
    <Prefetched>
      <CanaryPage key={`${merchantId} ${mode}`} />
    </Prefetched>
  );
}
