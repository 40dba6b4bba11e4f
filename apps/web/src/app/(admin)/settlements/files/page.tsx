import type { Metadata } from 'next';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { FilesPage } from './_components/files-page.tsx';

export const metadata: Metadata = { title: 'Settlement files' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/settlements/files', searchParams);
  const { account } = await searchParams;
  const { settlements } = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(settlements.accounts.queryOptions(scopeFilter(scope))),
    queries.prefetchQuery(settlements.files.list.queryOptions(scopeFilter(scope))),
  ]);
  return (
    <Prefetched>
      <FilesPage
        key={`${scope.merchantId} ${scope.mode}`}
        scope={scope}
        accountId={typeof account === 'string' ? account : null}
      />
    </Prefetched>
  );
}
