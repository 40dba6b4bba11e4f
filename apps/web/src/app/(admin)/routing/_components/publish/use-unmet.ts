'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '#/trpc/client.tsx';
import { useRoutingScope } from '../queries/use-routing.ts';
import { useLastDays } from '../queries/use-traffic.ts';
import { type Unmet, unmetIn } from '../rules/unmet.ts';

const DAYS = 30;

/** Findings about a draft that no payment of the last 30 days met; null until it is known of the draft as stored. */
export function useUnmet({ draftId, revision }: { readonly draftId: string; readonly revision: number }): Unmet | null {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const period = useLastDays(DAYS);
  const input = { ...scope, rules: { kind: 'draft' as const, draftId }, ...period };
  const { data, isFetching, refetch } = useQuery(
    trpc.routing.takeovers.queryOptions(input, { staleTime: 0, refetchOnMount: 'always' }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved draft has other findings.
  useEffect(() => {
    void refetch();
  }, [revision]);
  return data?.kind === 'compared' && !isFetching ? unmetIn(data, DAYS) : null;
}
