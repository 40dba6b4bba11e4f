'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterInputs } from '#/trpc/outputs.ts';

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

/** A change of several discrepancies. */
export type BulkChange = RouterInputs['reconciliation']['changeMany']['change'];

/** Kind of a bulk action. */
export type BulkAction = 'assign' | 'resolve' | 'accept';

/** Properties of the dialogs of bulk actions. */
export interface BulkDialogProps {
  readonly selected: readonly { readonly merchantId: string; readonly discrepancyId: string }[];
  /** Applies the change and closes the dialog; throws when the server refused. */
  readonly onApply: (change: BulkChange) => Promise<void>;
  readonly onClose: () => void;
}

/** Changes several discrepancies at once. */
export function useBulkChange() {
  return useDiscrepancyActions().changeMany;
}
