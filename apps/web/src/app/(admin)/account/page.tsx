import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { AccountPage } from './_components/account-page.tsx';

export const metadata: Metadata = { title: 'Your account' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  await requireScope('/account', searchParams);
  const trpc = serverTrpc();
  const queries = pageQueries();
  await Promise.all([queries.prefetchQuery(trpc.me.queryOptions()), queries.prefetchQuery(trpc.account.sessions.queryOptions())]);
  return (
    <Prefetched>
      <AccountPage />
    </Prefetched>
  );
}
