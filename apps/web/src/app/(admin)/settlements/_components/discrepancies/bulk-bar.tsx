'use client';

import dynamic from 'next/dynamic';
import { Button } from '#/components/button/button.tsx';
import type { SettlementDiscrepancy } from '#/copy/settlements.ts';
import { BulkSection } from '#/discrepancies/bulk-section.tsx';
import { useBulkBar } from '#/discrepancies/use-bulk-bar.ts';
import type { Selection } from '#/discrepancies/use-selection.ts';
import { addDecimals, formatMoney } from '#/format/amounts.ts';
import type { RouterInputs } from '#/trpc/outputs.ts';
import { useSettlementActions } from '../use-settlements.ts';

const AssignDialog = dynamic(() => import('#/discrepancies/assign-dialog.tsx').then((module) => module.AssignDialog));
const ResolveDialog = dynamic(() => import('./resolve-dialog.tsx').then((module) => module.ResolveDialog));

type Change = RouterInputs['settlements']['discrepancies']['changeMany']['change'];

/** Actions on the selected rows, and the results of the last one. */
export function BulkBar({ selection }: { selection: Selection<SettlementDiscrepancy> }) {
  const { changeMany } = useSettlementActions();
  const { selected, dialog, results, refusal, open, close, apply } = useBulkBar<
    SettlementDiscrepancy,
    Change,
    'assign' | 'resolve'
  >(selection, changeMany);
  if (selected.length === 0 && results === null && dialog === null) return null;
  const shared = { selected: dialog?.rows ?? [], onApply: apply, onClose: close };
  const buttons = (
    <>
      <Button onClick={() => open('assign')}>Assign</Button>
      <Button onClick={() => open('resolve')}>Resolve</Button>
    </>
  );
  return (
    <BulkSection
      count={selected.length}
      sums={describeAmounts(selected)}
      results={results}
      refusal={dialog === null ? refusal : null}
      buttons={buttons}
    >
      {dialog?.kind === 'assign' && <AssignDialog {...shared} />}
      {dialog?.kind === 'resolve' && <ResolveDialog {...shared} />}
    </BulkSection>
  );
}

function describeAmounts(rows: readonly SettlementDiscrepancy[]): string {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, some]) => formatMoney(currency, addDecimals(some.map(({ amount }) => amount))))
    .join(' · ');
}
