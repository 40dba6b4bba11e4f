'use client';

import { useState } from 'react';
import type { Discrepancy } from '#/copy/discrepancies.ts';
import { type BulkChange, type BulkResults, useBulkChange } from './use-bulk-change.ts';
import type { Selection } from './use-selection.ts';

/** Most rows of one action. */
export const SELECTED_MAX = 200;

/** Kind of a bulk action. */
export type BulkAction = 'assign' | 'resolve' | 'accept';

/** A bulk action whose dialog is open. */
export interface BulkDialog {
  readonly kind: BulkAction;
  /** The rows as they were when it was opened. */
  readonly rows: readonly Discrepancy[];
}

/** The actions on the rows selected, and what became of the last one. */
export interface BulkBarState {
  /** Rows of the next action. */
  readonly selected: readonly Discrepancy[];
  readonly dialog: BulkDialog | null;
  readonly results: BulkResults | null;
  readonly refusal: string | null;
  readonly open: (kind: BulkAction) => void;
  readonly close: () => void;
  /** Throws when the server did not answer. */
  readonly apply: (change: BulkChange) => Promise<void>;
}

/**
 * Changes the rows selected at once. An open dialog stays, with its rows, when another person closes some of them meanwhile: the
 * results then say so. What was not changed stays selected, to be tried again or looked at.
 */
export function useBulkBar(selection: Selection): BulkBarState {
  const [results, setResults] = useState<BulkResults | null>(null);
  const [dialog, setDialog] = useState<BulkDialog | null>(null);
  const bulk = useBulkChange();
  const selected = selection.selected.slice(0, SELECTED_MAX);
  return {
    selected,
    dialog,
    results,
    refusal: bulk.error?.message ?? null,
    open(kind) {
      bulk.reset();
      setDialog({ kind, rows: selected });
    },
    close: () => setDialog(null),
    async apply(change) {
      const keys = (dialog?.rows ?? []).map(({ merchantId, discrepancyId }) => ({ merchantId, discrepancyId }));
      const done = await bulk.mutateAsync({ keys, change });
      setResults(done);
      setDialog(null);
      const settled = new Set(done.flatMap(({ discrepancyId, outcome }) => (isSettled(outcome) ? [discrepancyId] : [])));
      selection.select(selection.selected.filter(({ discrepancyId }) => !settled.has(discrepancyId)));
    },
  };
}

function isSettled({ kind }: BulkResults[number]['outcome']): boolean {
  return kind === 'changed' || kind === 'unchanged';
}
