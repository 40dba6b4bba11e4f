'use client';

import { useMemo, useState } from 'react';
import type { DataSelection } from '#/components/data-table/data-table.tsx';
import { type Discrepancy, KIND_LABELS } from '#/copy/discrepancies.ts';
import { useMay } from '#/trpc/use-may.ts';

/** The rows chosen for a bulk action. Rows that leave the list are no longer chosen. */
export interface Selection {
  readonly selected: readonly Discrepancy[];
  readonly select: (some: readonly Discrepancy[]) => void;
  /** How the table shows it; undefined for those who may resolve nothing. */
  readonly table: DataSelection<Discrepancy> | undefined;
}

/** Selects rows of the list: those whose merchant's discrepancies the viewer may resolve. */
export function useSelection(rows: readonly Discrepancy[]): Selection {
  const may = useMay();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(() => rows.filter(({ discrepancyId }) => chosen.has(discrepancyId)), [rows, chosen]);
  const isSelectable = ({ merchantId }: Discrepancy) => may('reconciliation:resolve', merchantId);
  return {
    selected,
    select: (some) => setChosen(new Set(some.map(({ discrepancyId }) => discrepancyId))),
    table: rows.some(isSelectable) ? { selected: chosen, onChange: setChosen, nameOf, isSelectable } : undefined,
  };
}

function nameOf({ kind, reference, transactionId, discrepancyId }: Discrepancy): string {
  return `${KIND_LABELS[kind].word}, ${reference ?? transactionId ?? discrepancyId}`;
}
