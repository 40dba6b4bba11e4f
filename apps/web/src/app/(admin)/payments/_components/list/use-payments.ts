'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type PaymentFilters, toListInput, toPaymentFilter } from '#/app/(admin)/payments/filters.ts';
import { usePages } from '#/components/list/use-pages.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const REFRESH_MS = 15_000;
const COUNTS_REFRESH_MS = 30_000;
/** Refresh only the first page: refetching a long list again and again is costly. */
const PAGES_REFRESHED = 2;

/** The payments of the scope and these filters, page after page in this order, refreshed while the first pages are visible. */
export function usePayments(filters: PaymentFilters, sort: string) {
  const trpc = useTRPC();
  const scope = useScope();
  const query = useInfiniteQuery(
    trpc.payments.list.infiniteQueryOptions(toListInput(scope, filters, sort), {
      getNextPageParam: (page) => page.next ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= PAGES_REFRESHED ? REFRESH_MS : false),
    }),
  );
  // True if the search matches more payments than are listed.
  const isSearchCut = query.data?.pages[0]?.isSearchCut ?? false;
  return { ...usePages(query), isSearchCut };
}

/** The numbers of payments that these filters have in each status, whatever statuses they name; undefined while not known. */
export function usePaymentCounts(filters: PaymentFilters): PaymentCounts | undefined {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(
    trpc.payments.counts.queryOptions(toPaymentFilter(scope, { ...filters, status: [] }), {
      placeholderData: keepPreviousData,
      refetchInterval: COUNTS_REFRESH_MS,
    }),
  );
  return data ?? undefined;
}

type PaymentCounts = NonNullable<RouterOutputs['payments']['counts']>;

/** A line of the list of payments. */
export type PaymentRow = ReturnType<typeof usePayments>['rows'][number];
