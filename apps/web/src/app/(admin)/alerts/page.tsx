import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { attentionInput } from '#/incidents/attention-input.ts';
import { hrefIn } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/require-scope.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.ts';
import { AlertsPage } from './_components/alerts-page.tsx';

export const metadata: Metadata = { title: 'Alerts' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/alerts', searchParams);
  // Messages of earlier versions lead to an incident by the query of this page.
  const { incident } = await searchParams;
  if (typeof incident === 'string') redirect(hrefIn(scope, `/alerts/${incident}`));
  await pageQueries().prefetchQuery(serverTrpc().attention.list.queryOptions(attentionInput(scope)));
  return (
    <HydrationBoundary state={dehydrate(pageQueries())}>
      <AlertsPage />
    </HydrationBoundary>
  );
}
