import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { MerchantsPage } from './_components/merchants-page.tsx';

export const metadata: Metadata = { title: 'Merchants' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const { mode } = await requireScope('/merchants', searchParams);
  const { q } = await searchParams;
  const search = typeof q === 'string' ? q : '';
  await pageQueries().prefetchQuery(serverTrpc().merchants.overview.queryOptions({ mode, search }));
  return (
    <Prefetched>
      <MerchantsPage />
    </Prefetched>
  );
}
