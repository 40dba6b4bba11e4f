'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { useNow } from '#/components/time/now.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { discrepanciesQuery, type ReconciliationFilters, shownDays, toAgeInput, toRunsInput } from '../filters.ts';

const RUNNING_REFRESH_MS = 1_500;
const IDLE_REFRESH_MS = 30_000;

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
      refetchInterval: ({ state }) => (state.data?.items.some(isInProgress) ? RUNNING_REFRESH_MS : IDLE_REFRESH_MS),
    }),
  );
  const working = runs.data?.items.some(isInProgress) ?? false;
  const byAge = useQuery(
    trpc.reconciliation.byAge.queryOptions(toAgeInput(scope, filters, now), {
      placeholderData: keepPreviousData,
      refetchInterval: working ? RUNNING_REFRESH_MS : IDLE_REFRESH_MS,
    }),
  );
  const discrepancies = useNounList({
    ...discrepanciesQuery(trpc, scope, filters, now),
    refetchInterval: working ? RUNNING_REFRESH_MS : IDLE_REFRESH_MS,
  });
  const error = accounts.error ?? runs.error ?? discrepancies.error;
  return {
    days,
    accounts: accounts.data ?? [],
    runs: runs.data?.items ?? [],
    discrepancies,
    byAge: byAge.data ?? [],
    ready: accounts.data !== undefined && runs.data !== undefined && discrepancies.state === 'ready',
    failure: error?.message ?? null,
    updatedAt: runs.dataUpdatedAt,
    isFetching: runs.isFetching || discrepancies.isFetching,
    refetch: () => {
      for (const query of [accounts, runs, byAge, discrepancies]) void query.refetch();
    },
  };
}

function isInProgress({ state }: { readonly state: string }): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}

/** Discrepancies of one age and currency, counted. */
export type AgeGroup = ReturnType<typeof useReconciliation>['byAge'][number];

/** A gateway account that can be reconciled. */
export type Account = ReturnType<typeof useReconciliation>['accounts'][number];
