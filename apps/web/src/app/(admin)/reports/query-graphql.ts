'use client';

import { useQuery } from '@tanstack/react-query';
import { DEFAULT_CURRENCY } from './filters.ts';

const TIMEOUT_MS = 20_000;

/**
 * Sends a request to the GraphQL endpoint that programs use, and returns the body of the answer; null where it is no JSON. Someone whose
 * session has ended is sent to sign in.
 */
export async function queryGraphql(request: object, signal: AbortSignal): Promise<unknown> {
  const response = await fetch('/api/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (response.status === 401) {
    const { pathname, search } = window.location;
    window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }
  return response.json().catch(() => null);
}

/** The payments to look for currencies in; times as ISO 8601. */
interface CurrenciesFilter {
  readonly mode: 'test' | 'live';
  readonly merchantIds?: readonly string[];
  readonly from: string;
  readonly to: string;
}

const QUERY = `query Currencies($filter: VolumeFilter!) {
  currencies(filter: $filter) { ... on CurrencyList { data } }
}`;

const loadReader = () => import('./read-currencies.ts');

/** The currencies that payments are in, the one with the most payments first; empty while they are not known. */
export function useCurrencies(filter: CurrenciesFilter): readonly string[] {
  const { data } = useQuery({
    queryKey: ['currencies', filter],
    queryFn: async ({ signal }) => {
      const reader = loadReader();
      const answer = await queryGraphql({ query: QUERY, variables: { filter } }, signal);
      return (await reader).readCurrencies(answer);
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
  return data ?? [];
}

/** The chosen currency; where none is chosen, the default one, or the most used one where nothing was paid in that. */
export function currencyOf(chosen: string, inUse: readonly string[]): string {
  if (chosen !== '') return chosen;
  return inUse.includes(DEFAULT_CURRENCY) ? DEFAULT_CURRENCY : (inUse[0] ?? DEFAULT_CURRENCY);
}
