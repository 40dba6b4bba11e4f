import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { HealthPage } from './_components/health-page.tsx';
import { loadHealthPage, OUTAGE_DAYS, SPAN_LABELS } from './span.ts';

export const metadata: Metadata = { title: 'Health' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/health', searchParams);
  const { span } = await loadHealthPage(searchParams);
  const { minutes, stepSeconds } = SPAN_LABELS[span];
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.health.overview.queryOptions(scope)),
    queries.prefetchQuery(trpc.health.strips.queryOptions({ ...scope, minutes, stepSeconds })),
    queries.prefetchQuery(trpc.health.states.queryOptions({ ...scope, minutes })),
    queries.prefetchQuery(trpc.health.states.queryOptions({ ...scope, minutes: OUTAGE_DAYS * 1_440 })),
    queries.prefetchInfiniteQuery(
      trpc.health.feed.infiniteQueryOptions({ ...scope, limit: 12 }, { getNextPageParam: (page) => page.next ?? undefined }),
    ),
  ]);
  return (
    <Prefetched>
      <HealthPage />
    </Prefetched>
  );
}
