import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { AuditPage } from './_components/audit-page.tsx';
import { auditQuery, loadAuditPage } from './filters.ts';

export const metadata: Metadata = { title: 'Audit' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/audit', searchParams);
  const { sort, ...filters } = await loadAuditPage(searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchInfiniteQuery(auditQuery(serverTrpc(), scope, filters, sort)),
    queries.prefetchQuery(trpc.audit.chains.queryOptions({ merchantId: scope.merchantId })),
  ]);
  return (
    <Prefetched>
      <AuditPage />
    </Prefetched>
  );
}
