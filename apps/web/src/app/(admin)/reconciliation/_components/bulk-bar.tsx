'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import classes from './bulk-bar.module.css';
import { describeResults } from './bulk-results.ts';
import { describeTotals } from './totals.ts';
import { type BulkChange, type BulkResults, useBulkChange } from './use-bulk-change.ts';
import type { Selection } from './use-selection.ts';

const AssignDialog = dynamic(() => import('./assign-dialog.tsx').then((module) => module.AssignDialog));
const ResolveDialog = dynamic(() => import('./resolve-dialog.tsx').then((module) => module.ResolveDialog));

/** Most rows of one action. */
const SELECTED_MAX = 200;

/** What can be done with the rows selected, and what became of the last action. */
export function BulkBar({ selection }: { selection: Selection }) {
  const [results, setResults] = useState<BulkResults | null>(null);
  const bulk = useBulkChange();
  const selected = selection.selected.slice(0, SELECTED_MAX);
  // The rows as they were when the dialog was opened: it stays, with what was typed, when another person closes some of them.
  const [dialog, setDialog] = useState<{ readonly kind: 'assign' | 'resolve' | 'accept'; readonly rows: typeof selected } | null>(
    null,
  );
  if (selected.length === 0 && results === null && dialog === null) return null;

  function open(kind: 'assign' | 'resolve' | 'accept') {
    bulk.reset();
    setDialog({ kind, rows: selected });
  }

  function apply(change: BulkChange) {
    bulk.mutate(
      { keys: (dialog?.rows ?? []).map(({ merchantId, discrepancyId }) => ({ merchantId, discrepancyId })), change },
      {
        onSuccess: (done) => {
          setResults(done);
          setDialog(null);
          // What was not changed stays selected, to be tried again or looked at.
          const settled = new Set(done.flatMap(({ discrepancyId, outcome }) => (isSettled(outcome) ? [discrepancyId] : [])));
          selection.select(selection.selected.filter(({ discrepancyId }) => !settled.has(discrepancyId)));
        },
      },
    );
  }
  const shared = {
    selected: dialog?.rows ?? [],
    busy: bulk.isPending,
    refusal: bulk.error?.message ?? null,
    onApply: apply,
    onClose: () => setDialog(null),
  };
  return (
    <section className={classes.bar} aria-label="Bulk actions">
      {selected.length > 0 && (
        <>
          <span className={classes.total}>
            {selected.length.toLocaleString('en')} selected · {describeTotals(selected)}
          </span>
          <Button onClick={() => open('assign')}>Assign</Button>
          <Button onClick={() => open('resolve')}>Resolve</Button>
          <Button onClick={() => open('accept')}>Accept within tolerance</Button>
        </>
      )}
      <p className={classes.results} role="status">
        {results !== null && describeResults(results)}
      </p>
      {dialog === null && <Refusal message={bulk.error?.message ?? null} />}
      {dialog?.kind === 'assign' && <AssignDialog {...shared} />}
      {dialog?.kind === 'resolve' && <ResolveDialog {...shared} />}
      {dialog?.kind === 'accept' && <ResolveDialog {...shared} accept />}
    </section>
  );
}

function isSettled({ kind }: BulkResults[number]['outcome']): boolean {
  return kind === 'changed' || kind === 'unchanged';
}
