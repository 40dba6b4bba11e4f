import type { Metadata } from 'next';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { EarnedPage } from '../_components/earned/earned-page.tsx';
import { ChooseMerchant } from '../_components/list/choose-merchant.tsx';
import { merchantScope } from '../merchant-scope.ts';

export const metadata: Metadata = { title: 'What routing earned' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await merchantScope('/routing/earned', searchParams);
  if (scope.kind === 'choose') return <ChooseMerchant path="/routing/earned" />;
  const { merchantId, mode } = scope;
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.me.queryOptions()),
    queries.prefetchQuery(trpc.merchants.byId.queryOptions({ merchantId })),
    queries.prefetchQuery(trpc.routing.earned.queryOptions({ merchantId, mode })),
  ]);
  return (
    <Prefetched>
      <EarnedPage key={`${merchantId} ${mode}`} />
    </Prefetched>
  );
}
