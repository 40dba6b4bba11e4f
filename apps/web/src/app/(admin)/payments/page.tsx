import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { viewerZone } from '#/format/zone.ts';
import { IncidentBanner } from '#/incidents/incident-banner.tsx';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { PaymentsPage } from './_components/list/payments-page.tsx';
import { loadPaymentsPage, toListInput } from './filters.ts';

export const metadata: Metadata = { title: 'Payments' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/payments', searchParams);
  const { payment, sort, ...filters } = await loadPaymentsPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.alerts.outage.queryOptions(scope)),
    queries.prefetchInfiniteQuery(
      trpc.payments.list.infiniteQueryOptions(toListInput(scope, filters, sort), {
        getNextPageParam: (page) => page.next ?? undefined,
      }),
    ),
    payment !== null && queries.prefetchQuery(trpc.payments.byId.queryOptions({ paymentId: payment, zone: viewerZone() })),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <IncidentBanner />
      <PaymentsPage publicUrl={publicUrl()} />
    </HydrationBoundary>
  );
}
