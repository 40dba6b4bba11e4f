import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { EndpointPage } from './_components/endpoint-page.tsx';
import { deliveriesQuery, loadEndpointPage } from './filters.ts';

export const metadata: Metadata = { title: 'Webhook endpoint' };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ endpointId: string }>;
  searchParams: PageQuery;
}) {
  const { endpointId } = await params;
  const { merchantId } = await requireScope(`/webhooks/endpoints/${endpointId}`, searchParams);
  const { delivery, sort, ...filters } = await loadEndpointPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  if (merchantId !== null) {
    const key = { merchantId, endpointId };
    await Promise.all([
      queries.prefetchQuery(trpc.webhooks.byId.queryOptions(key)),
      queries.prefetchQuery(trpc.webhooks.deliveries.resends.queryOptions(key)),
      queries.prefetchInfiniteQuery(deliveriesQuery(serverTrpc(), key, filters, sort)),
      delivery !== null &&
        queries.prefetchQuery(trpc.webhooks.deliveries.byId.queryOptions({ merchantId, deliveryId: delivery })),
    ]);
  }
  return (
    <Prefetched>
      <EndpointPage endpointId={endpointId} />
    </Prefetched>
  );
}
