'use client';

import { useQuery } from '@tanstack/react-query';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from './client.tsx';
import type { RouterOutputs } from './outputs.ts';

/** An action that a role may allow. */
export type Permission = RouterOutputs['me']['access'][number]['permissions'][number];

/** Returns whether the person has a permission for all merchants, and so for the workspace itself. False until permissions are loaded. */
export function useCanForAll(): (permission: Permission) => boolean {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  return (permission) =>
    (data?.access ?? []).some((grant) => grant.merchantId === null && grant.permissions.includes(permission));
}

/**
 * Returns whether the person has a permission, for the merchant of the page or, where all are shown, for any: so that no action is
 * offered that the server would refuse. False until the permissions are loaded.
 */
export function useCan(): (permission: Permission, merchantId?: string | null) => boolean {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  return (permission, merchantId = scope.merchantId) =>
    (data?.access ?? []).some(
      (grant) =>
        (grant.merchantId === null || merchantId === null || grant.merchantId === merchantId) &&
        grant.permissions.includes(permission),
    );
}
