import type { Metadata } from 'next';
import { attentionInput } from '#/incidents/attention-input.ts';
import { Prefetched } from '#/server/prefetched.tsx';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
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
