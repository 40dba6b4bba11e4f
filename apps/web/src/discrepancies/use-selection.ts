'use client';

import { useMemo, useState } from 'react';
import type { DataSelection } from '#/components/data-table/data-table.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { DiscrepancyKey } from './discrepancy-actions.ts';

/** The rows chosen for a bulk action. Rows that leave the list are no longer chosen. */
export interface Selection<Row> {
  readonly selected: readonly Row[];
  readonly select: (some: readonly Row[]) => void;
  /** How the table shows it; undefined for those who may resolve nothing. */
  readonly table: DataSelection<Row> | undefined;
}

/** Selects rows of a list: those whose merchant's discrepancies the viewer may resolve. */
export function useSelection<Row extends DiscrepancyKey>(rows: readonly Row[], nameOf: (row: Row) => string): Selection<Row> {
  const can = useCan();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(() => rows.filter(({ discrepancyId }) => chosen.has(discrepancyId)), [rows, chosen]);
  const isSelectable = ({ merchantId }: Row) => can('reconciliation:resolve', merchantId);
  return {
    selected,
    select: (some) => setChosen(new Set(some.map(({ discrepancyId }) => discrepancyId))),
    table: rows.some(isSelectable) ? { selected: chosen, onChange: setChosen, nameOf, isSelectable } : undefined,
  };
}
