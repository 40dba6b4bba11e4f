import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { PrivacyPage } from './_components/privacy-page.tsx';

export const metadata: Metadata = { title: 'Data and privacy' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const { merchantId } = await requireScope('/privacy', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().privacy.retention.queryOptions({ merchantId }));
  return (
    <Prefetched>
      <PrivacyPage />
    </Prefetched>
  );
}
