import type { Metadata } from 'next';
import { serverNow } from '#/clock/server-clock.ts';
import { scopeFilter } from '#/scope/scope.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { BankPage } from './_components/bank-page.tsx';
import { loadPeriod, toBankInput } from './period.ts';

export const metadata: Metadata = { title: 'Bank' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/settlements/bank', searchParams);
  const period = await loadPeriod(searchParams);
  const { bank } = serverTrpc().settlements;
  const queries = pageQueries();
  await Promise.all([
    queries.prefetchQuery(bank.read.queryOptions(toBankInput(scope, period, serverNow()))),
    queries.prefetchQuery(bank.statements.queryOptions(scopeFilter(scope))),
  ]);
  return (
    <Prefetched>
      <BankPage key={`${scope.merchantId} ${scope.mode}`} />
    </Prefetched>
  );
}
