'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { useScope } from './use-scope.ts';

/** The names of the gateways at which merchants have accounts in the mode of the page. */
export function useGateways(): readonly string[] {
  const trpc = useTRPC();
  const { mode } = useScope();
  const { data: health } = useQuery(trpc.system.health.queryOptions(undefined, { staleTime: 60_000 }));
  return health?.gateways.filter((gateway) => gateway.mode === mode).map(({ gateway }) => gateway) ?? [];
}
