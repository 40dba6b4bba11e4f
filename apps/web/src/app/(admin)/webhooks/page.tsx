import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { WebhooksPage } from './_components/webhooks-page.tsx';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/webhooks', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().webhooks.list.queryOptions(scope));
  return (
    <Prefetched>
      <WebhooksPage />
    </Prefetched>
  );
}
