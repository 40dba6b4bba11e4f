'use client';

import { skipToken, useQuery } from '@tanstack/react-query';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterInputs } from '#/trpc/outputs.ts';

type Range = RouterInputs['webhooks']['deliveries']['countRange'];

/**
 * How many events would be sent again. Undefined, and none to send, until those of exactly this range are counted: the number of the
 * range before would be confirmed for another one. `failure` is why they could not be counted; a range of null is none.
 */
export function useRangeCount(range: Range | null) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.webhooks.deliveries.countRange.queryOptions(range ?? skipToken));
  const counted = range === null ? undefined : data;
  return {
    counted,
    total: counted?.kind === 'counted' ? counted.total : 0,
    failure: range !== null && counted === undefined ? (error?.message ?? null) : null,
  };
}
