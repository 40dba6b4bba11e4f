'use client';

import { useQuery } from '@tanstack/react-query';
import type { toVariables } from '../filters.ts';
import { queryGraphql } from '../query-graphql.ts';
import type { Report } from '../report.ts';
import { reportKey } from '../report-key.ts';

/** Loaded along with the first report, because it brings a library that rendering does not need. */
const loadReader = () => import('./read-report-response.ts');

/** A report, requested by the hash of its query, like by any program with a token. */
export function useReport(operation: string, variables: ReturnType<typeof toVariables>) {
  return useQuery({
    queryKey: reportKey(operation, variables),
    queryFn: ({ signal }) => ask(operation, variables, signal),
    // The previous report stays while the next one loads, unless it is grouped differently.
    placeholderData: (before, query) => (query?.queryKey[2].groupBy[0] === variables.groupBy[0] ? before : undefined),
    staleTime: 30_000,
  });
}

async function ask(operation: string, variables: object, signal: AbortSignal): Promise<Report> {
  const reader = loadReader();
  const request = { extensions: { persistedQuery: { version: 1, sha256Hash: operation } }, variables };
  const body = await queryGraphql(request, signal);
  return (await reader).readReportResponse(body);
}
