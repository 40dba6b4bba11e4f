import type { Metadata } from 'next';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { TokensPage } from './_components/tokens-page.tsx';

export const metadata: Metadata = { title: 'Machine tokens' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  await requireScope('/developers/tokens', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().machineTokens.list.queryOptions());
  return (
    <Prefetched>
      <TokensPage publicUrl={publicUrl()} />
    </Prefetched>
  );
}
