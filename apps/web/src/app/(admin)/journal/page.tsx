import type { Metadata } from 'next';
import { serverNow } from '#/clock/server-clock.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { JournalPage } from './_components/journal-page.tsx';
import { loadPeriod, toPeriod } from './period.ts';

export const metadata: Metadata = { title: 'Journal' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const { mode, merchantId } = await requireScope('/journal', searchParams);
  const queries = pageQueries();
  if (merchantId !== null) {
    const { journal } = serverTrpc();
    const period = toPeriod(await loadPeriod(searchParams), serverNow());
    await Promise.all([
      queries.prefetchQuery(journal.setting.queryOptions({ merchantId, mode })),
      queries.prefetchQuery(journal.summary.queryOptions({ merchantId, mode, ...period })),
    ]);
  }
  return (
    <Prefetched>
      <JournalPage />
    </Prefetched>
  );
}
