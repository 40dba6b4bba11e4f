'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '#/trpc/client.tsx';

/** The actions on a discrepancy. The page shows every change at once. */
export function useDiscrepancyActions() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(trpc.reconciliation.pathFilter());
  return {
    note: useMutation(trpc.reconciliation.note.mutationOptions({ onSuccess })),
    assign: useMutation(trpc.reconciliation.assign.mutationOptions({ onSuccess })),
    resolve: useMutation(trpc.reconciliation.resolve.mutationOptions({ onSuccess })),
    changeMany: useMutation(trpc.reconciliation.changeMany.mutationOptions({ onSuccess })),
    setTolerance: useMutation(trpc.reconciliation.setTolerance.mutationOptions({ onSuccess })),
    reopen: useMutation(trpc.reconciliation.reopen.mutationOptions({ onSuccess })),
  };
}
