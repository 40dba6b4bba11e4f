import type { Metadata } from 'next';
import { Prefetched } from '#/server/prefetched.tsx';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
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
