'use client';

import { useQuery } from '@tanstack/react-query';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from '../trpc/client.tsx';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { useCanHere } from '../trpc/use-can.ts';
import { attentionInput } from './attention-input.ts';

/** Something that needs attention, or an alert that has ended. */
export type Finding = RouterOutputs['attention']['list']['items'][number];

/** Findings in the scope of the page: the list whose length is the number at the bell, read again at an interval. */
export function useAttention(refetchInterval: number) {
  const trpc = useTRPC();
  const scope = useScope();
  return useQuery(trpc.attention.list.queryOptions(attentionInput(scope), { refetchInterval }));
}

/** The outage of gateways that lasts now. */
export type Outage = NonNullable<RouterOutputs['alerts']['outage']>;

/** A gateway account that the outage concerns. */
export type OutageAccount = Outage['accounts'][number];

const REFRESH_MS = 10_000;

/** The outage that lasts now in the scope of the page; null without one, and for people who may not see alerts. */
export function useOutage(): Outage | null {
  const trpc = useTRPC();
  const scope = useScope();
  const mayRead = useCanHere()('alert:read');
  const { data } = useQuery(trpc.alerts.outage.queryOptions(scope, { enabled: mayRead, refetchInterval: REFRESH_MS }));
  return data ?? null;
}
