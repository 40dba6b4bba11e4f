import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { ChannelsPage } from './_components/channels-page.tsx';

export const metadata: Metadata = { title: 'Alert channels' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const { merchantId } = await requireScope('/alerts/channels', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().alerts.channels.queryOptions({ merchantId }));
  return (
    <Prefetched>
      <ChannelsPage />
    </Prefetched>
  );
}
