'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { useNow } from '#/components/time/now.tsx';
import type { Contract, ContractAccount, FeeMonth, FeeRate, FeeSums } from '#/copy/fees.ts';
import { scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type FeesFilters, feesQuery, toFeeFilter } from '../filters.ts';

const KEEP = { placeholderData: keepPreviousData };

/** Sums of fees by currency; undefined while not known. */
export function useFeeSums(filters: FeesFilters): readonly FeeSums[] | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.fees.sums.queryOptions(toFeeFilter(useScope(), filters, useNow()), KEEP)).data;
}

/** Sums of fees by account and month; undefined while not known. */
export function useFeeMonths(filters: FeesFilters): readonly FeeMonth[] | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.fees.months.queryOptions(toFeeFilter(useScope(), filters, useNow()), KEEP)).data;
}

/** Effective rates; undefined while not known. */
export function useFeeRates(filters: FeesFilters): readonly FeeRate[] | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.fees.rates.queryOptions(toFeeFilter(useScope(), filters, useNow()), KEEP)).data;
}

/** The fees of these filters, page after page. */
export function useFees(filters: FeesFilters) {
  return useNounList(feesQuery(useTRPC(), useScope(), filters, useNow()));
}

/** The accounts of the scope with their contracts; empty while not known. */
export function useContracts(): readonly ContractAccount[] {
  const trpc = useTRPC();
  return useQuery(trpc.fees.contracts.queryOptions(scopeFilter(useScope()))).data ?? [];
}

/** Adds a contract. The page shows it at once. */
export function useAddContract() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return useMutation(
    trpc.fees.addContract.mutationOptions({
      onSuccess() {
        void queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() });
        return queries.invalidateQueries(trpc.fees.pathFilter());
      },
    }),
  );
}

/** The contract that applies at a moment; null before the first. */
export function currentContract({ contracts }: ContractAccount, now: number): Contract | null {
  return contracts.findLast(({ appliesFrom }) => appliesFrom.getTime() <= now) ?? null;
}
