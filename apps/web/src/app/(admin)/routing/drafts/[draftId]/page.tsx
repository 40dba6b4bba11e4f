import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DraftPage } from '#/app/(admin)/routing/_components/draft/draft-page.tsx';
import { ChooseMerchant } from '#/app/(admin)/routing/_components/list/choose-merchant.tsx';
import { merchantScope } from '#/app/(admin)/routing/merchant-scope.ts';
import { failureCode } from '#/server/failure-code.ts';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';

export const metadata: Metadata = { title: 'Draft of rules' };

const NO_SUCH = new Set(['NOT_FOUND', 'BAD_REQUEST', 'FORBIDDEN']);

export default async function Page({ params, searchParams }: { params: Promise<{ draftId: string }>; searchParams: PageQuery }) {
  const { draftId } = await params;
  const scope = await merchantScope(`/routing/drafts/${draftId}`, searchParams);
  if (scope.kind === 'choose') return <ChooseMerchant path="/routing" />;
  const { merchantId, mode } = scope;
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.me.queryOptions()),
    queries.prefetchQuery(trpc.routing.live.queryOptions({ merchantId, mode })),
    queries.prefetchQuery(trpc.routing.access.queryOptions({ merchantId })),
    queries.prefetchQuery(trpc.routing.validate.queryOptions({ merchantId, mode, rules: { kind: 'draft', draftId } })),
    queries.fetchQuery(trpc.routing.drafts.byId.queryOptions({ merchantId, draftId })).catch((error: unknown) => {
      if (NO_SUCH.has(failureCode(error) ?? '')) notFound();
      throw error;
    }),
  ]);
  return (
    <Prefetched>
      <DraftPage key={draftId} draftId={draftId} />
    </Prefetched>
  );
}
