import type { Metadata } from 'next';
import { attentionInput } from '#/incidents/attention-input.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { AlertsPage } from './_components/alerts-page.tsx';

export const metadata: Metadata = { title: 'Alerts' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/alerts', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().attention.list.queryOptions(attentionInput(scope)));
  return (
    <Prefetched>
      <AlertsPage />
    </Prefetched>
  );
}
