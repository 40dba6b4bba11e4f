import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { ErrorCodesPage } from './_components/error-codes-page.tsx';

export const metadata: Metadata = { title: 'Error codes' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/gateways/error-codes', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().gateways.errorCodes.queryOptions(scope));
  return (
    <Prefetched>
      <ErrorCodesPage />
    </Prefetched>
  );
}
