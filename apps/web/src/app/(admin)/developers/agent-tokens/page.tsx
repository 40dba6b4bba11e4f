import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/require-scope.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { AgentTokensPage } from './_components/agent-tokens-page.tsx';

export const metadata: Metadata = { title: 'Agent tokens' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  await requireScope('/developers/agent-tokens', searchParams);
  await pageQueries().prefetchQuery(serverTrpc().agentTokens.list.queryOptions());
  return (
    <HydrationBoundary state={dehydrate(pageQueries())}>
      <AgentTokensPage publicUrl={publicUrl()} />
    </HydrationBoundary>
  );
}
