import type { Metadata } from 'next';
import { attentionInput } from '#/incidents/attention-input.ts';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { OverviewPage } from './_components/overview-page.tsx';
import { lastPaidInput, latestInput } from './latest.ts';

export const metadata: Metadata = { title: 'Overview' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/overview', searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.setup.read.queryOptions({ merchantId: scope.merchantId })),
    queries.prefetchQuery(trpc.payments.today.queryOptions(scope)),
    queries.prefetchQuery(trpc.payments.byHour.queryOptions(scope)),
    queries.prefetchQuery(trpc.payments.list.queryOptions(latestInput(scope))),
    queries.prefetchQuery(trpc.payments.list.queryOptions(lastPaidInput(scope))),
    queries.prefetchQuery(trpc.attention.list.queryOptions(attentionInput(scope))),
    queries.prefetchQuery(trpc.health.overview.queryOptions(scope)),
    queries.prefetchQuery(trpc.system.health.queryOptions()),
  ]);
  return (
    <Prefetched>
      <OverviewPage publicUrl={publicUrl()} />
    </Prefetched>
  );
}
