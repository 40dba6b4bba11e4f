'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readResult } from '../query-result.ts';
import type { QueryParameters, ReadyQuery } from '../ready-queries.ts';

const TIMEOUT_MS = 20_000;

/** The result of a ready query, asked of the endpoint that programs use. */
export function useQueryResult(query: ReadyQuery, parameters: QueryParameters) {
  const text = query.text(parameters);
  return useQuery({
    queryKey: ['finance-query', text],
    queryFn: async ({ signal }) => readResult(query, parameters, await ask(text, signal)),
    // The table before stays while the same query loads with other parameters.
    placeholderData: (before, previous) =>
      previous?.queryKey[1]?.split('(')[0] === text.split('(')[0] ? keepPreviousData(before) : undefined,
    staleTime: 30_000,
    retry: false,
  });
}

async function ask(query: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch('/api/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (response.status === 401) {
    const { pathname, search } = window.location;
    window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }
  return response.json().catch(() => null);
}
