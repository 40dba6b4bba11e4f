import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { viewerZone } from '#/format/zone.ts';
import { hrefIn, loadScope } from '#/scope/scope.ts';
import { failureCode } from '#/server/failure-code.ts';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { PaymentPage } from './_components/payment-page.tsx';

export const metadata: Metadata = { title: 'Payment' };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ paymentId: string }>;
  searchParams: PageQuery;
}) {
  const { paymentId } = await params;
  const scope = await loadScope(searchParams);
  const queries = pageQueries();
  const trpc = serverTrpc();
  const [payment] = await Promise.all([
    queries.fetchQuery(trpc.payments.byId.queryOptions({ paymentId, zone: viewerZone() })).catch((error: unknown) => {
      if (failureCode(error) === 'NOT_FOUND') notFound();
      throw error;
    }),
    queries.prefetchQuery(trpc.payments.notes.queryOptions({ paymentId })),
    queries.prefetchQuery(trpc.payments.messages.queryOptions({ paymentId })),
  ]);
  // The mode band shows the payment's mode.
  if (scope.mode !== payment.mode) redirect(hrefIn({ mode: payment.mode, merchantId: scope.merchant }, `/payments/${paymentId}`));
  return (
    <Prefetched>
      <PaymentPage paymentId={paymentId} />
    </Prefetched>
  );
}
