'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListCount } from '#/components/list/list-count.ts';
import { usePages } from '#/components/list/use-pages.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { type AuditFilters, toAuditFilter, toListInput } from '../filters.ts';

/** An entry of the audit log, as the server lists it. */
export type AuditEntry = RouterOutputs['audit']['list']['items'][number];

const REFRESH_MS = 20_000;
const COUNT_REFRESH_MS = 30_000;

/** The entries of the scope and these filters, page by page; the first page is refetched. */
export function useAudit(filters: AuditFilters, sort = '') {
  const trpc = useTRPC();
  const scope = useScope();
  return usePages<AuditEntry>(
    useInfiniteQuery(
      trpc.audit.list.infiniteQueryOptions(toListInput(scope, filters, sort), {
        getNextPageParam: (page) => page.next ?? undefined,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? REFRESH_MS : false),
      }),
    ),
  );
}

/** The number of entries of the scope and these filters; undefined while it is not known. */
export function useAuditCount(filters: AuditFilters): ListCount | undefined {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(
    trpc.audit.count.queryOptions(toAuditFilter(scope, filters), {
      placeholderData: keepPreviousData,
      refetchInterval: COUNT_REFRESH_MS,
    }),
  );
  return data ?? undefined;
}
