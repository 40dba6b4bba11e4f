'use client';

import dynamic from 'next/dynamic';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import type { SettlementDiscrepancy } from '#/copy/settlements.ts';
import { describeResults, useBulkBar } from '#/discrepancies/use-bulk-bar.ts';
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
  return (
    <section className="flex flex-wrap items-center gap-2 min-h-10 mb-1 text-sm" aria-label="Bulk actions">
      {selected.length > 0 && (
        <>
          <span className="mr-2 font-medium tabular-nums">
            {selected.length.toLocaleString('en')} selected · {describeAmounts(selected)}
          </span>
          <Button onClick={() => open('assign')}>Assign</Button>
          <Button onClick={() => open('resolve')}>Resolve</Button>
        </>
      )}
      <p className="text-ink-quiet empty:hidden" role="status">
        {results !== null && describeResults(results)}
      </p>
      {dialog === null && <Refusal message={refusal} />}
      {dialog?.kind === 'assign' && <AssignDialog {...shared} />}
      {dialog?.kind === 'resolve' && <ResolveDialog {...shared} />}
    </section>
  );
}

function describeAmounts(rows: readonly SettlementDiscrepancy[]): string {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, some]) => formatMoney(currency, addDecimals(some.map(({ amount }) => amount))))
    .join(' · ');
}
