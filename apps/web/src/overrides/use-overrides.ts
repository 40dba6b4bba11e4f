'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Scope } from '../scope/scope.ts';
import { useTRPC } from '../trpc/client.tsx';

/** Sets and ends overrides, and reads again what shows them. */
export function useOverrides() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: trpc.health.overview.pathKey() });
    void queries.invalidateQueries({ queryKey: trpc.health.feed.pathKey() });
    void queries.invalidateQueries({ queryKey: trpc.alerts.outage.pathKey() });
  };
  return {
    set: useMutation(trpc.health.setOverride.mutationOptions({ onSuccess })),
    end: useMutation(trpc.health.endOverride.mutationOptions({ onSuccess })),
    drainGateway: useMutation(trpc.health.drainGateway.mutationOptions({ onSuccess })),
    endGateway: useMutation(trpc.health.endGatewayDrain.mutationOptions({ onSuccess })),
  };
}

/** An account as a question about it names it: merchants give their accounts the same labels, so that each is said to be whose. */
export function nameAccount(
  { label, merchantName }: { readonly label: string; readonly merchantName: string },
  { merchantId }: Pick<Scope, 'merchantId'>,
): string {
  return merchantId === null ? `${label} of ${merchantName}` : label;
}
