'use client';

import { useState } from 'react';
import type { BulkMutation, BulkResults, DiscrepancyKey } from './discrepancy-actions.ts';
import type { Selection } from './use-selection.ts';

/** Most rows of one action. */
export const SELECTED_MAX = 200;

/** The actions on the rows selected, and the results of the last one. */
interface BulkBarState<Row, Change, Action> {
  /** Rows of the next action. */
  readonly selected: readonly Row[];
  /** The action whose dialog is open, with the rows as they were when it was opened. */
  readonly dialog: { readonly kind: Action; readonly rows: readonly Row[] } | null;
  readonly results: BulkResults | null;
  readonly refusal: string | null;
  readonly open: (kind: Action) => void;
  readonly close: () => void;
  /** Throws when the server did not answer. */
  readonly apply: (change: Change) => Promise<void>;
}

/**
 * Changes the rows selected at once. An open dialog stays, with its rows, when another person closes some of them meanwhile: the
 * results then say so. Those that were not changed stay selected, to be tried again or looked at.
 */
export function useBulkBar<Row extends DiscrepancyKey, Change, Action extends string>(
  selection: Selection<Row>,
  bulk: BulkMutation<Change>,
): BulkBarState<Row, Change, Action> {
  const [results, setResults] = useState<BulkResults | null>(null);
  const [dialog, setDialog] = useState<{ readonly kind: Action; readonly rows: readonly Row[] } | null>(null);
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

/** Results of a bulk action: `12 changed, 2 refused: It is already closed. 1 failed; try again.` */
export function describeResults(results: BulkResults): string {
  const count = (kind: string) => results.filter(({ outcome }) => outcome.kind === kind).length;
  const reasons = [...new Set(results.flatMap(({ outcome }) => (outcome.kind === 'refused' ? [outcome.why] : [])))];
  const parts = [
    [count('changed'), 'changed.'],
    [count('unchanged'), 'already so.'],
    [count('refused'), `not changed: ${reasons.slice(0, 3).join(' ')}`],
    [count('not_found'), 'no longer there.'],
    [count('failed'), 'could not be saved and stay as they were; try again.'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, text]) => `${number.toLocaleString('en')} ${text}`)
    .join(' ');
}
