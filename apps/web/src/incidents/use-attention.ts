'use client';

import { useQuery } from '@tanstack/react-query';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from '../trpc/client.tsx';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { attentionInput } from './attention-input.ts';

/** Something that needs attention, or an alert that has ended. */
export type Finding = RouterOutputs['attention']['list']['items'][number];

/** Findings in the scope of the page: the list whose length is the number at the bell, read again at an interval. */
export function useAttention(refetchInterval: number) {
  const trpc = useTRPC();
  const scope = useScope();
  return useQuery(trpc.attention.list.queryOptions(attentionInput(scope), { refetchInterval }));
}
