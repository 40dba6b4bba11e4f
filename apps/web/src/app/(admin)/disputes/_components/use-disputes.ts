'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNounList } from '#/components/list/use-noun-list.ts';
import type { WholeDispute } from '#/copy/disputes.ts';
import { scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type DisputesFilters, disputesQuery, toCountsInput } from '../filters.ts';

const REFRESH_MS = 15_000;
/** While an answer is on its way. */
const SENDING_REFRESH_MS = 2_000;

/** The disputes of the scope and these filters, page after page. */
export function useDisputes(filters: DisputesFilters) {
  return useNounList(disputesQuery(useTRPC(), useScope(), filters));
}

/** The disputes of the scope by state and currency; empty while not known. */
export function useDisputeCounts(filters: DisputesFilters) {
  const trpc = useTRPC();
  const options = { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS };
  return useQuery(trpc.disputes.counts.queryOptions(toCountsInput(useScope(), filters), options)).data ?? [];
}

/** The accounts of the scope with how their disputes come; empty while not known. */
export function useDisputeAccounts() {
  const trpc = useTRPC();
  return useQuery(trpc.disputes.accounts.queryOptions(scopeFilter(useScope()), { refetchInterval: REFRESH_MS })).data ?? [];
}

/** One dispute; undefined while not known. */
export function useDispute(disputeId: string): WholeDispute | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.disputes.byId.queryOptions(
      { disputeId },
      {
        refetchInterval: ({ state }) =>
          state.data?.responses.some((response) => response.state === 'SENDING') ? SENDING_REFRESH_MS : REFRESH_MS,
      },
    ),
  );
  return data;
}

/** Changes of disputes. The page shows every change at once. */
export function useDisputeActions() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const shown = { onSettled: () => queries.invalidateQueries({ queryKey: trpc.disputes.pathKey() }) };
  return {
    addEvidence: useMutation(trpc.disputes.addEvidence.mutationOptions(shown)),
    answer: useMutation(trpc.disputes.answer.mutationOptions(shown)),
    open: useMutation(trpc.disputes.open.mutationOptions(shown)),
    record: useMutation(trpc.disputes.record.mutationOptions(shown)),
    settleResponse: useMutation(trpc.disputes.settleResponse.mutationOptions(shown)),
  };
}
