import type { Metadata } from 'next';
import { viewerZone } from '#/format/zone.ts';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { PaymentsPage } from './_components/list/payments-page.tsx';
import { loadPaymentsPage, paymentsQuery } from './filters.ts';

export const metadata: Metadata = { title: 'Payments' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/payments', searchParams);
  const { payment, sort, ...filters } = await loadPaymentsPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchInfiniteQuery(paymentsQuery(serverTrpc(), scope, filters, sort)),
    payment !== null && queries.prefetchQuery(trpc.payments.byId.queryOptions({ paymentId: payment, zone: viewerZone() })),
  ]);
  return (
    <Prefetched>
      <PaymentsPage publicUrl={publicUrl()} />
    </Prefetched>
  );
}
