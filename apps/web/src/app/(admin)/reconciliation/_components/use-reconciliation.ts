'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useNow } from '../../../../components/now.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { type ReconciliationFilters, shownDays, toDifferencesInput, toRunsInput } from '../filters.ts';

const AT_WORK_MS = 1_500;
const QUIET_MS = 30_000;

/** The page's data; refreshed more often while a day is being compared. */
export function useReconciliation(filters: ReconciliationFilters) {
  const trpc = useTRPC();
  const scope = useScope();
  const now = useNow();
  // The days move on at midnight only; the clock does so every few seconds.
  const key = shownDays(filters, now).join();
  const days = useMemo(() => key.split(','), [key]);
  const accounts = useQuery(trpc.reconciliation.accounts.queryOptions({ merchantId: scope.merchantId, mode: scope.mode }));
  const runs = useQuery(
    trpc.reconciliation.runs.queryOptions(toRunsInput(scope, days), {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.items.some(isAtWork) ? AT_WORK_MS : QUIET_MS),
    }),
  );
  const working = runs.data?.items.some(isAtWork) ?? false;
  const differences = useInfiniteQuery(
    trpc.reconciliation.differences.infiniteQueryOptions(toDifferencesInput(scope, filters, days), {
      getNextPageParam: (page) => page.next ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval: working ? AT_WORK_MS : QUIET_MS,
    }),
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = differences;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage().catch(() => null);
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const rows = useMemo(() => differences.data?.pages.flatMap((page) => page.items) ?? [], [differences.data]);
  const error = accounts.error ?? runs.error ?? differences.error;
  return {
    days,
    accounts: accounts.data ?? [],
    runs: runs.data?.items ?? [],
    differences: rows,
    ready: accounts.data !== undefined && runs.data !== undefined && differences.data !== undefined,
    failure: error?.message ?? null,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    more,
    updatedAt: runs.dataUpdatedAt,
    isFetching: runs.isFetching || differences.isFetching,
    refetch: () => {
      for (const query of [accounts, runs, differences]) void query.refetch();
    },
  };
}

function isAtWork({ state }: { readonly state: string }): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}

export type Account = ReturnType<typeof useReconciliation>['accounts'][number];
