'use client';

import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from './client.tsx';
import type { RouterOutputs } from './outputs.ts';

/** An action that a role may allow. */
export type Permission = RouterOutputs['me']['access'][number]['permissions'][number];

/**
 * Returns whether the person has a permission in the mode of the page at the merchant that a row or an object belongs to, as the server
 * decides it; null is the workspace itself, which takes a permission for all merchants. False until permissions are loaded. The same
 * function until they change, so that columns of a table can be memoised with it.
 */
export function useCan(): (permission: Permission, merchantId: string | null) => boolean {
  const access = useAccess();
  return useCallback(
    (permission, merchantId) =>
      access.some(
        (grant) => (grant.merchantId === null || grant.merchantId === merchantId) && grant.permissions.includes(permission),
      ),
    [access],
  );
}

/** Returns whether the person has a permission at any merchant: for what leads to a page, or chooses its merchant later. */
export function useCanAnywhere(): (permission: Permission) => boolean {
  const access = useAccess();
  return (permission) => access.some(({ permissions }) => permissions.includes(permission));
}

/**
 * Returns whether the person has a permission at the merchant of the page or, where all are shown, at any: for lists, and for actions
 * that belong to no row. Of a row, {@link useCan} is asked.
 */
export function useCanHere(): (permission: Permission) => boolean {
  const { merchantId } = useScope();
  const can = useCan();
  const canAnywhere = useCanAnywhere();
  return (permission) => (merchantId === null ? canAnywhere(permission) : can(permission, merchantId));
}

/** The person's grants with their permissions in the mode of the page. */
function useAccess(): readonly Pick<RouterOutputs['me']['access'][number], 'merchantId' | 'permissions'>[] {
  const trpc = useTRPC();
  const { mode } = useScope();
  const { data } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const access = data?.access;
  return useMemo(() => {
    if (mode !== 'test') return access ?? [];
    return (access ?? []).map(({ merchantId, permissions, inTestMode = [] }) => {
      return { merchantId, permissions: [...permissions, ...inTestMode] };
    });
  }, [access, mode]);
}
