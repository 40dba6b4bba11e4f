import { headers } from 'next/headers';
import { publicUrl } from '#/server/public-url.ts';
import { reportingUrl } from '#/server/reporting.ts';
import { readReportResponse } from './_components/read-report-response.ts';
import type { toVariables } from './filters.ts';
import type { Report } from './report.ts';

const TIMEOUT_MS = 10_000;

/** Fetches the page's report directly from the reporting process, on behalf of the viewer. */
export async function fetchReport(operation: string, variables: ReturnType<typeof toVariables>): Promise<Report> {
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
