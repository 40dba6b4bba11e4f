'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { type AuditFilters, toListInput } from '../filters.ts';

/** An entry of the audit log, as the server lists it. */
export type AuditEntry = RouterOutputs['audit']['list']['items'][number];

const REFRESH_MS = 20_000;

/** The entries of the scope and these filters, page by page; the first page is refetched. */
export function useAudit(filters: AuditFilters) {
  const trpc = useTRPC();
  const scope = useScope();
  const query = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(toListInput(scope, filters), {
      getNextPageParam: (page) => page.next ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? REFRESH_MS : false),
    }),
  );
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage().catch(() => null);
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    state: data !== undefined ? ('ready' as const) : query.isError ? ('failed' as const) : ('loading' as const),
    error: query.error,
    rows,
    more,
    updatedAt: query.dataUpdatedAt,
    isFetching: query.isFetching,
    refetch: () => void refetch(),
  };
}
