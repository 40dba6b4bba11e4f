import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { KeysPage } from './_components/keys-page.tsx';

export const metadata: Metadata = { title: 'API keys' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const { mode, merchantId } = await requireScope('/keys', searchParams);
  if (merchantId !== null) await pageQueries().prefetchQuery(serverTrpc().keys.list.queryOptions({ merchantId, mode }));
  return (
    <Prefetched>
      <KeysPage />
    </Prefetched>
  );
}
