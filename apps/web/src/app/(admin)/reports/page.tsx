import type { Metadata } from 'next';
import { serverNow } from '#/clock/server-clock.ts';
import { operationHash } from '#/server/native/graphql-operations.ts';
import { Prefetched } from '#/server/prefetched.tsx';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { pageQueries } from '#/trpc/server.ts';
import { ReportsPage } from './_components/reports-page.tsx';
import { fetchReport } from './fetch-report.ts';
import { loadReportPage, shownDays, toVariables } from './filters.ts';
import { reportKey } from './report-key.ts';

export const metadata: Metadata = { title: 'Reports' };

/** A report that takes longer comes after the page. */
const WAIT_MAX_MS = 700;

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/reports', searchParams);
  const filters = await loadReportPage(searchParams);
  const operation = operationHash('volume');
  const variables = toVariables(scope, filters, shownDays(filters, serverNow()));
  const queries = pageQueries();
  await Promise.race([
    queries.prefetchQuery({
      queryKey: reportKey(operation, variables),
      queryFn: () => fetchReport(operation, variables),
    }),
    new Promise((resolve) => setTimeout(resolve, WAIT_MAX_MS)),
  ]);
  return (
    <Prefetched>
      <ReportsPage operation={operation} />
    </Prefetched>
  );
}
