import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { TeamPage } from './_components/team-page.tsx';

export const metadata: Metadata = { title: 'Team' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  await requireScope('/team', searchParams);
  const queries = pageQueries();
  await queries.prefetchQuery(serverTrpc().team.list.queryOptions());
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <TeamPage />
    </HydrationBoundary>
  );
}
