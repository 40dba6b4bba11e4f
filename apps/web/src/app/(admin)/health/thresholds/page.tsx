import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { ThresholdsPage } from './_components/thresholds-page.tsx';

export const metadata: Metadata = { title: 'Health thresholds' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const { mode, merchantId } = await requireScope('/health/thresholds', searchParams);
  if (merchantId !== null) await pageQueries().prefetchQuery(serverTrpc().health.thresholds.queryOptions({ merchantId, mode }));
  return (
    <Prefetched>
      <ThresholdsPage />
    </Prefetched>
  );
}
