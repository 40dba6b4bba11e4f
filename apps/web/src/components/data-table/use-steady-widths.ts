'use client';

import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { TableColumn } from './table-columns.ts';

const NONE: ReadonlyMap<string, number> = new Map();

/**
 * The greatest width that each column has had so far: rows that come into sight make columns wider and those that leave it do not make
 * them narrower, so that the table stands still while it is scrolled. With it, where the pinned columns stay from the left.
 */
export function useSteadyWidths(
  head: RefObject<HTMLTableRowElement | null>,
  columns: readonly TableColumn[],
  pinned: ReadonlySet<string>,
  lastRow: number,
  /** Width of what comes before the columns. */
  before: number,
): { readonly widths: Readonly<Record<string, number>>; readonly lefts: ReadonlyMap<string, number> } {
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows and other columns have other widths.
  useLayoutEffect(() => {
    const cells = [...(head.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
    const grown = cells.flatMap(({ dataset: { column = '' }, offsetWidth }): [string, number][] =>
      offsetWidth > (widths[column] ?? 0) ? [[column, offsetWidth]] : [],
    );
    if (grown.length > 0) setWidths({ ...widths, ...Object.fromEntries(grown) });
  }, [columns, lastRow]);
  const lefts = useMemo(() => {
    const own = columns.filter(({ id }) => pinned.has(id));
    if (own.length === 0) return NONE;
    return new Map(own.map(({ id }, at) => [id, own.slice(0, at).reduce((left, one) => left + (widths[one.id] ?? 0), before)]));
  }, [columns, pinned, widths, before]);
  return { widths, lefts };
}
