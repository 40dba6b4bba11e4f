import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { MerchantPage } from './_components/merchant-page.tsx';

export const metadata: Metadata = { title: 'Merchant' };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ merchantId: string }>;
  searchParams: PageQuery;
}) {
  const { merchantId } = await params;
  await requireScope(`/merchants/${merchantId}`, searchParams);
  await pageQueries().prefetchQuery(serverTrpc().merchants.byId.queryOptions({ merchantId }));
  return (
    <Prefetched>
      <MerchantPage merchantId={merchantId} />
    </Prefetched>
  );
}
