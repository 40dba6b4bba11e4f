'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryGraphql } from '#/app/(admin)/reports/query-graphql.ts';
import { readResult } from '../query-result.ts';
import type { QueryParameters, ReadyQuery } from '../ready-queries.ts';

/** The result of a ready query, asked of the endpoint that programs use. */
export function useQueryResult(query: ReadyQuery, parameters: QueryParameters) {
  const text = query.text(parameters);
  return useQuery({
    queryKey: ['finance-query', text],
    queryFn: async ({ signal }) => readResult(query, parameters, await queryGraphql({ query: text }, signal)),
    // The table before stays while the same query loads with other parameters.
    placeholderData: (before, previous) =>
      previous?.queryKey[1]?.split('(')[0] === text.split('(')[0] ? keepPreviousData(before) : undefined,
    staleTime: 30_000,
    retry: false,
  });
}
