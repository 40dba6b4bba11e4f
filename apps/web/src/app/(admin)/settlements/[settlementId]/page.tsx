import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { hrefIn, loadScope } from '#/scope/scope.ts';
import { failureCode } from '#/server/failure-code.ts';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { linesQuery, loadLines } from '../filters.ts';
import { SettlementPage } from './_components/settlement-page.tsx';

export const metadata: Metadata = { title: 'Settlement' };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ settlementId: string }>;
  searchParams: PageQuery;
}) {
  const { settlementId } = await params;
  const scope = await loadScope(searchParams);
  const filters = await loadLines(searchParams);
  const queries = pageQueries();
  const { fees, settlements } = serverTrpc();
  const [settlement] = await Promise.all([
    queries.fetchQuery(settlements.byId.queryOptions({ settlementId })).catch((error: unknown) => {
      if (['NOT_FOUND', 'BAD_REQUEST'].includes(failureCode(error) ?? '')) notFound();
      throw error;
    }),
    queries.prefetchQuery(settlements.bank.linesOf.queryOptions({ settlementId })),
    queries.prefetchQuery(settlements.changes.queryOptions({ settlementId })),
    queries.prefetchInfiniteQuery(linesQuery(serverTrpc(), settlementId, filters)),
  ]);
  const { mode, merchantId } = settlement;
  await queries.prefetchQuery(fees.sums.queryOptions({ mode, merchantIds: [merchantId], settlementId }));
  // The mode band shows the settlement's mode.
  if (scope.mode !== settlement.mode) {
    redirect(hrefIn({ mode: settlement.mode, merchantId: scope.merchant }, `/settlements/${settlementId}`));
  }
  return (
    <Prefetched>
      <SettlementPage settlementId={settlementId} />
    </Prefetched>
  );
}
