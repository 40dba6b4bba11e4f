'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { ReconciliationChange, ReconciliationFilters } from '#/app/(admin)/reconciliation/filters.ts';
import type { ListState } from '#/components/list/use-list.ts';
import { type Discrepancy, KIND_LABELS } from '#/copy/discrepancies.ts';
import { useSelection } from '#/discrepancies/use-selection.ts';
import { AgeSummary } from '../days/age-summary.tsx';
import type { useReconciliation } from '../use-reconciliation.ts';
import { DiscrepanciesTable } from './discrepancies-table.tsx';
import { DiscrepancyFilters } from './discrepancy-filters.tsx';
import { NoDiscrepancies } from './no-discrepancies.tsx';

const BulkBar = dynamic(() => import('../bulk/bulk-bar.tsx').then((module) => module.BulkBar));

/** The work list: discrepancies by age, owner and amount, and what can be done with several at once. */
export function DiscrepanciesSection({
  found,
  filters,
  list,
  openId,
  onChange,
  onOpen,
}: {
  found: ReturnType<typeof useReconciliation>;
  filters: ReconciliationFilters;
  list: ListState;
  openId: string | null;
  onChange: (change: ReconciliationChange) => void;
  onOpen: (discrepancyId: string) => void;
}) {
  const rows = found.discrepancies;
  const selection = useSelection(rows, nameOf);
  // Loaded with the first selection; it stays to say what became of it.
  const [isSelecting, setSelecting] = useState(false);
  if (!isSelecting && selection.selected.length > 0) setSelecting(true);
  return (
    <>
      <AgeSummary groups={found.byAge} age={filters.age} onChoose={(age) => onChange({ age, account: null, day: null })} />
      <DiscrepancyFilters filters={filters} onChange={onChange} />
      {isSelecting && <BulkBar selection={selection} />}
      {rows.length === 0 ? (
        <NoDiscrepancies filters={filters} runs={found.runs} />
      ) : (
        <DiscrepanciesTable
          rows={rows}
          list={list}
          selection={selection}
          openId={openId}
          onOpen={onOpen}
          hasMore={found.hasMore}
          loadingMore={found.loadingMore}
          onMore={found.more}
        />
      )}
    </>
  );
}

function nameOf({ kind, reference, transactionId, discrepancyId }: Discrepancy): string {
  return `${KIND_LABELS[kind].word}, ${reference ?? transactionId ?? discrepancyId}`;
}
