import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { hrefIn, loadScope } from '#/scope/scope.ts';
import { failureCode } from '#/server/failure-code.ts';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { DisputePage } from './_components/dispute-page.tsx';

export const metadata: Metadata = { title: 'Dispute' };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ disputeId: string }>;
  searchParams: PageQuery;
}) {
  const { disputeId } = await params;
  const scope = await loadScope(searchParams);
  const queries = pageQueries();
  const { disputes } = serverTrpc();
  const dispute = await queries.fetchQuery(disputes.byId.queryOptions({ disputeId })).catch((error: unknown) => {
    if (['NOT_FOUND', 'BAD_REQUEST'].includes(failureCode(error) ?? '')) notFound();
    throw error;
  });
  // The mode band shows the dispute's mode.
  if (scope.mode !== dispute.mode) {
    redirect(hrefIn({ mode: dispute.mode, merchantId: scope.merchant }, `/disputes/${disputeId}`));
  }
  return (
    <Prefetched>
      <DisputePage disputeId={disputeId} />
    </Prefetched>
  );
}
