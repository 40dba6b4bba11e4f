'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterInputs } from '#/trpc/outputs.ts';

type Range = RouterInputs['webhooks']['deliveries']['countRange'];

/**
 * How many events would be sent again. Undefined, and none to send, until those of exactly this range are counted: the number of the
 * range before would be confirmed for another one. `failure` is why they could not be counted.
 */
export function useRangeCount(range: Range, enabled: boolean) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.webhooks.deliveries.countRange.queryOptions(range, { enabled }));
  const counted = enabled ? data : undefined;
  return {
    counted,
    total: counted?.kind === 'counted' ? counted.total : 0,
    failure: enabled && counted === undefined ? (error?.message ?? null) : null,
  };
}
