'use client';

import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

/** The active routing configuration. */
export type LiveRouting = NonNullable<ReturnType<typeof useLive>['data']>;

/** The merchant and mode of a routing page. */
interface RoutingScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** The scope of a routing page; its address always names a merchant. */
export function useRoutingScope(): RoutingScope {
  const { merchantId, mode } = useScope();
  return useMemo(() => ({ merchantId: merchantId ?? '', mode }), [merchantId, mode]);
}

const LIVE_MS = 15_000;

/** The active routing configuration. */
export function useLive() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  return useQuery(trpc.routing.live.queryOptions(scope, { refetchInterval: LIVE_MS }));
}

/** The people who write rules by name, whether a second person has to approve, and who can. */
export function usePeople(): {
  readonly nameOf: (actor: string | null) => string;
  readonly needsApproval: boolean;
  readonly approvers: readonly { readonly staffId: string; readonly name: string }[];
} {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const { data } = useQuery(trpc.routing.access.queryOptions({ merchantId }, { staleTime: 60_000 }));
  const nameOf = useCallback(
    (actor: string | null) => {
      if (actor === null) return 'an unknown person';
      const [kind, id] = actor.split(':');
      if (kind === 'api_key') return 'an API key';
      if (kind !== 'staff') return id === 'schedule' ? 'the schedule' : id === 'canary' ? 'its customers' : 'Switchyard';
      return data?.people.find(({ staffId }) => staffId === id)?.name ?? 'a former colleague';
    },
    [data],
  );
  return { nameOf, needsApproval: data?.needsApproval ?? false, approvers: data?.approvers ?? [] };
}

/** The merchant's name, for titles and questions. */
export function useMerchantName(): string {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const { data } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  return data?.find((merchant) => merchant.merchantId === merchantId)?.name ?? 'this merchant';
}

/** The number that the next version gets: those that were tried with a share of customers have one too. */
export function useNextVersion(active: number): number {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const { data } = useQuery(trpc.routing.versions.list.queryOptions({ ...scope, limit: 1 }));
  return Math.max(active, data?.items[0]?.version ?? 0) + 1;
}
