import type { Metadata } from 'next';
import { merchantScope } from '#/app/(admin)/routing/merchant-scope.ts';
import { ChooseMerchant } from '#/components/choose-merchant/choose-merchant.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { BulkPage } from './_components/bulk-page.tsx';

export const metadata: Metadata = { title: 'Refund from a file' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await merchantScope('/refunds/bulk', searchParams);
  if (scope.kind === 'choose') {
    return (
      <>
        <PageHead title="Refund from a file" />
        <ChooseMerchant path="/refunds/bulk" why="A file refunds payments of one merchant." />
      </>
    );
  }
  const { merchantId, mode } = scope;
  const queries = pageQueries();
  await queries.prefetchQuery(serverTrpc().refunds.control.read.queryOptions({ merchantId }));
  return (
    <Prefetched>
      <BulkPage key={`${merchantId} ${mode}`} merchantId={merchantId} mode={mode} />
    </Prefetched>
  );
}
