'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PaymentFilters, paymentsQuery, toPaymentFilter } from '#/app/(admin)/payments/filters.ts';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const COUNTS_REFRESH_MS = 30_000;

/** The payments of the scope and these filters, page after page in this order, refreshed while the first pages are visible. */
export function usePayments(filters: PaymentFilters, sort: string) {
  const list = useNounList(paymentsQuery(useTRPC(), useScope(), filters, sort));
  // True if the search matches more payments than are listed.
  return { ...list, isSearchCut: list.first?.isSearchCut ?? false };
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
