import type { Metadata } from 'next';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { ChooseMerchant } from './_components/list/choose-merchant.tsx';
import { RulesPage } from './_components/list/rules-page.tsx';
import { loadRulesPage } from './address.ts';
import { merchantScope } from './merchant-scope.ts';

export const metadata: Metadata = { title: 'Rules' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await merchantScope('/routing', searchParams);
  const { do: doing } = await loadRulesPage(searchParams);
  if (scope.kind === 'choose') return <ChooseMerchant path="/routing" doing={doing} />;
  const { merchantId, mode } = scope;
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.me.queryOptions()),
    queries.prefetchQuery(trpc.routing.live.queryOptions({ merchantId, mode })),
    queries.prefetchQuery(trpc.routing.access.queryOptions({ merchantId })),
    queries.prefetchQuery(trpc.routing.drafts.list.queryOptions({ merchantId, mode })),
    queries.prefetchQuery(trpc.routing.versions.list.queryOptions({ merchantId, mode, limit: 1 })),
  ]);
  return (
    <Prefetched>
      <RulesPage key={`${merchantId} ${mode}`} />
    </Prefetched>
  );
}
