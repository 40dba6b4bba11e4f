import type { Metadata } from 'next';
import { Prefetched } from '#/server/prefetched.tsx';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
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
