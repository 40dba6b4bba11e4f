'use client';

import dynamic from 'next/dynamic';
import { Button } from '#/components/button/button.tsx';
import type { Discrepancy } from '#/copy/discrepancies.ts';
import { BulkSection } from '#/discrepancies/bulk-section.tsx';
import { useBulkBar } from '#/discrepancies/use-bulk-bar.ts';
import type { Selection } from '#/discrepancies/use-selection.ts';
import { describeTotals } from '../days/totals.ts';
import { type BulkAction, type BulkChange, useBulkChange } from '../discrepancies/use-discrepancy-actions.ts';

const AssignDialog = dynamic(() => import('#/discrepancies/assign-dialog.tsx').then((module) => module.AssignDialog));
const ResolveDialog = dynamic(() => import('../discrepancies/resolve-dialog.tsx').then((module) => module.ResolveDialog));

/** Actions on the selected rows, and the results of the last action. */
export function BulkBar({ selection }: { selection: Selection<Discrepancy> }) {
  const { selected, dialog, results, refusal, open, close, apply } = useBulkBar<Discrepancy, BulkChange, BulkAction>(
    selection,
    useBulkChange(),
  );
  if (selected.length === 0 && results === null && dialog === null) return null;
  const shared = { selected: dialog?.rows ?? [], onApply: apply, onClose: close };
  const buttons = (
    <>
      <Button onClick={() => open('assign')}>Assign</Button>
      <Button onClick={() => open('resolve')}>Resolve</Button>
      <Button onClick={() => open('accept')}>Accept within tolerance</Button>
    </>
  );
  return (
    <BulkSection
      count={selected.length}
      sums={describeTotals(selected)}
      results={results}
      refusal={dialog === null ? refusal : null}
      buttons={buttons}
    >
      {dialog?.kind === 'assign' && <AssignDialog {...shared} />}
      {dialog?.kind === 'resolve' && <ResolveDialog {...shared} />}
      {dialog?.kind === 'accept' && <ResolveDialog {...shared} accept />}
    </BulkSection>
  );
}
