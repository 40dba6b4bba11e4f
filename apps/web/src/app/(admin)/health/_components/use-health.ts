'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The health of all accounts shown. */
export type HealthOverview = RouterOutputs['health']['overview'];

/** The health of one account. */
export type AccountOverview = HealthOverview['accounts'][number];

/** The health of one account for one method, or as a whole. */
export type MethodOverview = AccountOverview['health'][number];

/** An active override of an account. */
export type OverrideOverview = AccountOverview['overrides'][number];

/** State of the connection that keeps the shown data live. */
export type Connection = 'connecting' | 'live' | 'lost';

const REFRESH_MS = 10_000;

/** The health of all accounts, live. Refetches the page's other data when a state changes. */
export function useHealth() {
  const trpc = useTRPC();
  const scope = useScope();
  const queries = useQueryClient();
  // Read at an interval too: a stream that brings nothing looks like one that is broken.
  const overview = useQuery(
    trpc.health.overview.queryOptions(scope, { staleTime: Number.POSITIVE_INFINITY, refetchInterval: REFRESH_MS }),
  );
  const { status } = useSubscription(
    trpc.health.live.subscriptionOptions(scope, {
      onData(seen) {
        queries.setQueryData(trpc.health.overview.queryKey(scope), seen);
      },
    }),
  );
  const states = useMemo(() => signature(overview.data), [overview.data]);
  const shown = useRef(states);
  useEffect(() => {
    if (shown.current === states) return;
    shown.current = states;
    void queries.invalidateQueries({ queryKey: trpc.health.states.pathKey() });
    void queries.invalidateQueries({ queryKey: trpc.health.feed.pathKey() });
    void queries.invalidateQueries({ queryKey: trpc.alerts.outage.pathKey() });
  }, [states, queries, trpc]);
  const connection: Connection = status === 'pending' ? 'live' : status === 'error' ? 'lost' : 'connecting';
  return {
    data: overview.data,
    failed: overview.isError ? overview.error.message : null,
    retry: () => void overview.refetch(),
    connection,
    /** When the data was read, by the browser's clock. */
    updatedAt: overview.dataUpdatedAt,
  };
}

/** The part whose changes refetch other data: states and overrides, not each count. */
function signature(data: HealthOverview | undefined): string {
  const accounts = data?.accounts.map(({ accountId, health, overrides, planned }) => [
    accountId,
    health.map(({ state, probesLeft, judgedBy }) => `${state}${probesLeft}${judgedBy}`),
    [overrides, planned].map((list) => list.map(({ overrideId }) => overrideId)),
  ]);
  return JSON.stringify(accounts ?? null);
}

/** Names of the people among these actors, `staff:<id>`. */
export function useNames(actors: readonly (string | null)[]): ReadonlyMap<string, string> {
  const trpc = useTRPC();
  const staffIds = [...new Set(actors.flatMap((actor) => (actor?.startsWith('staff:') ? [actor.slice('staff:'.length)] : [])))];
  staffIds.sort();
  const { data } = useQuery(
    trpc.health.people.queryOptions({ staffIds: staffIds.slice(0, 200) }, { enabled: staffIds.length > 0, staleTime: 600_000 }),
  );
  return data ?? NO_NAMES;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();
