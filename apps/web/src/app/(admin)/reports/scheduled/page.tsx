import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { SchedulesPage } from './_components/schedules-page.tsx';

export const metadata: Metadata = { title: 'Scheduled reports' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const { merchantId, mode } = await requireScope('/reports/scheduled', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().scheduledReports.list.queryOptions({ merchantId, mode }));
  return (
    <Prefetched>
      <SchedulesPage />
    </Prefetched>
  );
}
