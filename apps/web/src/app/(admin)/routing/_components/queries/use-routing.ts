'use client';

import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { serverNow } from '#/clock/server-clock.ts';
import type { Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Takeovers } from '../rules/takeovers.ts';

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

const HOUR_MS = 3_600_000;
const DAYS = 7;

/** How much of the last seven days' payments each rule decides; those that asked for a gateway are left out. */
export interface Traffic {
  readonly payments: number;
  /** The rules that they were counted by: `version 7`, `this draft`. */
  readonly decidedBy: string;
  /** Null until loaded; `ruleId` null selects payments that no rule decided. */
  readonly countOf: (ruleId: string | null) => number | null;
}

/** The last seven days, up to the end of this hour. */
export function useLastWeek(): { readonly from: Date; readonly to: Date } {
  return useLastDays(DAYS);
}

/** The last days, up to the end of this hour. */
export function useLastDays(days: number): { readonly from: Date; readonly to: Date } {
  const [period] = useState(() => {
    const to = (Math.floor(serverNow() / HOUR_MS) + 1) * HOUR_MS;
    return { from: new Date(to - days * 24 * HOUR_MS), to: new Date(to) };
  });
  return period;
}

/** The payments of the last week, as the active rules decide them, whichever version decided them then. */
export function useTraffic(version: number): Traffic {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const period = useLastWeek();
  const options = trpc.routing.takeovers.queryOptions(
    { ...scope, rules: { kind: 'published' }, ...period },
    { staleTime: 60_000 },
  );
  const { data } = useQuery(options);
  return trafficOf(data?.kind === 'compared' ? data : null, version === 0 ? 'the default order' : `version ${version}`);
}

/** The counted payments of the last week by the rule that decides them; `decidedBy` names the rules. */
export function trafficOf(counted: Pick<Takeovers, 'payments' | 'decided'> | null, decidedBy: string): Traffic {
  return {
    payments: counted?.payments ?? 0,
    decidedBy,
    countOf: (ruleId) => (counted === null ? null : (counted.decided.find((each) => each.ruleId === ruleId)?.payments ?? 0)),
  };
}
