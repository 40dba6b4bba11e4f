import type { Metadata } from 'next';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { RulesPage } from './_components/rules-page.tsx';

export const metadata: Metadata = { title: 'Ignore rules' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/settlements/rules', searchParams);
  const { settlements } = serverTrpc();
  const queries = pageQueries();
  const { merchantIds } = scopeFilter(scope);
  await Promise.all([
    queries.prefetchQuery(settlements.accounts.queryOptions(scopeFilter(scope))),
    queries.prefetchQuery(settlements.rules.list.queryOptions({ merchantIds, ended: true })),
  ]);
  return (
    <Prefetched>
      <RulesPage scope={scope} />
    </Prefetched>
  );
}
