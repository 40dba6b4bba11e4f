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

/** An override as far as telling whether it has begun takes. */
interface Identified {
  readonly overrideId: string;
}

/**
 * True if the override has not started yet, by the account as it is shown now. By id: each live message brings new objects, so an
 * override that a dialog has kept is not among them as itself.
 */
export function isPlanned({ planned }: { readonly planned: readonly Identified[] }, { overrideId }: Identified): boolean {
  return planned.some((other) => other.overrideId === overrideId);
}

interface AccountOfGateway {
  readonly gateway: string;
  readonly gatewayTitle: string;
}

/** A gateway that can be drained for all merchants. */
export interface DrainedGateway {
  readonly gateway: string;
  readonly title: string;
  readonly mode: 'test' | 'live';
}

/** A gateway of which these are accounts; null where none is. */
export function drainedGateway(
  accounts: readonly AccountOfGateway[],
  name: string | null,
  mode: DrainedGateway['mode'],
): DrainedGateway | null {
  const first = accounts.find(({ gateway }) => gateway === name);
  return first === undefined ? null : { gateway: first.gateway, title: first.gatewayTitle, mode };
}
