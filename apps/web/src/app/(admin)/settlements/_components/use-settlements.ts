'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Pages, useNounList, wholeList } from '#/components/list/use-noun-list.ts';
import { useNow } from '#/components/time/now.tsx';
import type { SettlementAccount } from '#/copy/settlements.ts';
import { scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { discrepanciesQuery, linesQuery, type SettlementsFilters, settlementsQuery, toSettlementFilter } from '../filters.ts';

const REFRESH_MS = 30_000;

/** The settlements of the scope and these filters, page after page. */
export function useSettlements(filters: SettlementsFilters) {
  return useNounList(settlementsQuery(useTRPC(), useScope(), filters, useNow()));
}

/** Settled money of the scope and these filters by currency; undefined while not known. */
export function useExplained(filters: SettlementsFilters) {
  const trpc = useTRPC();
  const input = toSettlementFilter(useScope(), filters, useNow());
  const options = { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS };
  return useQuery(trpc.settlements.explained.queryOptions(input, options)).data;
}

/** The accounts of the scope. */
export function useSettlementAccounts(): Pages<SettlementAccount> {
  const trpc = useTRPC();
  const query = useQuery(trpc.settlements.accounts.queryOptions(scopeFilter(useScope()), { refetchInterval: REFRESH_MS }));
  return wholeList(query, query.data);
}

/** How the payouts of the scope's merchants are matched with their banks. */
export function useBankMatching() {
  const trpc = useTRPC();
  const { merchantIds } = scopeFilter(useScope());
  return useQuery(trpc.settlements.bank.matching.queryOptions({ merchantIds: [...merchantIds] }));
}

/** The lines of a settlement. */
export function useLines(settlementId: string, filters: Parameters<typeof linesQuery>[2]) {
  return useNounList(linesQuery(useTRPC(), settlementId, filters));
}

/** The discrepancies of the scope and these filters, page after page. */
export function useDiscrepancies(filters: SettlementsFilters) {
  return useNounList(discrepanciesQuery(useTRPC(), useScope(), filters));
}

/** Changes of discrepancies, links, ignore rules, calendars and bank matching, and withdrawals. The page shows every change at once. */
export function useSettlementActions() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(trpc.settlements.pathFilter());
  const { bank, discrepancies, linkLine, unlinkLine, rules, setCalendar, withdrawals } = trpc.settlements;
  return {
    note: useMutation(discrepancies.note.mutationOptions({ onSuccess })),
    assign: useMutation(discrepancies.assign.mutationOptions({ onSuccess })),
    resolve: useMutation(discrepancies.resolve.mutationOptions({ onSuccess })),
    reopen: useMutation(discrepancies.reopen.mutationOptions({ onSuccess })),
    changeMany: useMutation(discrepancies.changeMany.mutationOptions({ onSuccess })),
    linkLine: useMutation(linkLine.mutationOptions({ onSuccess })),
    unlinkLine: useMutation(unlinkLine.mutationOptions({ onSuccess })),
    createRule: useMutation(rules.create.mutationOptions({ onSuccess })),
    endRule: useMutation(rules.end.mutationOptions({ onSuccess })),
    linkBankLine: useMutation(bank.link.mutationOptions({ onSuccess })),
    unlinkBankLine: useMutation(bank.unlink.mutationOptions({ onSuccess })),
    setBankMatching: useMutation(bank.setMatching.mutationOptions({ onSuccess })),
    setCalendar: useMutation(setCalendar.mutationOptions({ onSuccess })),
    withdraw: useMutation(withdrawals.withdraw.mutationOptions({ onSuccess })),
  };
}
