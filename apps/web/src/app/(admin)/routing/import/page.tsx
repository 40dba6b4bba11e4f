import type { Metadata } from 'next';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { ImportPage } from '../_components/import/import-page.tsx';
import { ChooseMerchant } from '../_components/list/choose-merchant.tsx';
import { merchantScope } from '../merchant-scope.ts';

export const metadata: Metadata = { title: 'Import rules' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await merchantScope('/routing/import', searchParams);
  if (scope.kind === 'choose') return <ChooseMerchant {...scope} path="/routing/import" />;
  const { merchantId, mode } = scope;
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.me.queryOptions()),
    queries.prefetchQuery(trpc.routing.live.queryOptions({ merchantId, mode })),
  ]);
  return (
    <Prefetched>
      <ImportPage key={`${merchantId} ${mode}`} />
    </Prefetched>
  );
}
