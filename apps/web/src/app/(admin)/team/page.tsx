import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { TeamPage } from './_components/team-page.tsx';

export const metadata: Metadata = { title: 'Team' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  await requireScope('/team', searchParams);
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(serverTrpc().team.list.queryOptions()),
    queries.prefetchQuery(serverTrpc().team.roles.queryOptions()),
  ]);
  return (
    <Prefetched>
      <TeamPage />
    </Prefetched>
  );
}
