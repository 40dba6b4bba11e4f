import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { serverNow } from '#/clock/server-clock.ts';
import { operationHash } from '#/server/native/graphql-operations.ts';
import { publicUrl } from '#/server/public-url.ts';
import { reportingUrl } from '#/server/reporting.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries } from '#/trpc/server.tsx';
import { readReportResponse } from './_components/read-report-response.ts';
import { ReportsPage } from './_components/reports-page.tsx';
import { loadReportPage, reportKey, shownDays, toVariables } from './filters.ts';
import type { Report } from './report.ts';

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

const TIMEOUT_MS = 10_000;

/** Fetches the page's report directly from the reporting process, on behalf of the viewer. */
async function fetchReport(operation: string, variables: ReturnType<typeof toVariables>): Promise<Report> {
  const question = { extensions: { persistedQuery: { version: 1, sha256Hash: operation } }, variables };
  const response = await fetch(`${reportingUrl()}/api/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      cookie: (await headers()).get('cookie') ?? '',
      origin: publicUrl(),
    },
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    cache: 'no-store',
  });
  return readReportResponse(await response.json());
}
