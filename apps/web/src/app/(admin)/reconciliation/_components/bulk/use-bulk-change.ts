'use client';

import type { RouterInputs } from '#/trpc/outputs.ts';
import { useDiscrepancyActions } from '../discrepancies/use-discrepancy-actions.ts';

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
