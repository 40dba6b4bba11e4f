'use client';

import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { TableColumn } from './use-table-columns.ts';

const NONE: ReadonlyMap<string, number> = new Map();

/**
 * The greatest width that each column has had so far: rows that come into sight make columns wider and those that leave it do not make
 * them narrower, so that the table stands still while it is scrolled. The column that fills the table has the width that the others leave,
 * which is not its own. With it, where the pinned columns stay from the left.
 */
export function useSteadyWidths(
  head: RefObject<HTMLTableRowElement | null>,
  columns: readonly TableColumn[],
  pinned: ReadonlySet<string>,
  /** Id of the column that fills the table. */
  filling: string | undefined,
  lastRow: number,
  /** Width of what comes before the columns. */
  before: number,
): { readonly widths: Readonly<Record<string, number>>; readonly lefts: ReadonlyMap<string, number> } {
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const [filled, setFilled] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows and other columns have other widths.
  useLayoutEffect(() => {
    const cells = [...(head.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
    const grown = cells.flatMap(({ dataset: { column = '' }, offsetWidth }): [string, number][] =>
      column !== filling && offsetWidth > (widths[column] ?? 0) ? [[column, offsetWidth]] : [],
    );
    setFilled(cells.find(({ dataset: { column } }) => column === filling)?.offsetWidth ?? 0);
    if (grown.length > 0) setWidths({ ...widths, ...Object.fromEntries(grown) });
  }, [columns, lastRow]);
  const lefts = useMemo(() => {
    const own = columns.filter(({ id }) => pinned.has(id));
    if (own.length === 0) return NONE;
    const widthOf = ({ id }: TableColumn) => (id === filling ? filled : (widths[id] ?? 0));
    return new Map(own.map(({ id }, at) => [id, own.slice(0, at).reduce((left, one) => left + widthOf(one), before)]));
  }, [columns, pinned, filling, filled, widths, before]);
  return { widths, lefts };
}

/**
 * True while a table is wider than its frame, which then scrolls sideways. A frame that scrolls keeps its header to itself: while the
 * window scrolls, the header is moved by `--head` pixels to stay in sight.
 */
export function useSidewaysScroll(frame: RefObject<HTMLDivElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = frame.current;
    const table = element?.firstElementChild;
    if (element === null || !(table instanceof HTMLElement)) return;
    const observer = new ResizeObserver(() => setScrolls(table.offsetWidth > element.clientWidth + 1));
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, [frame]);
  useEffect(() => {
    const element = frame.current;
    const header = element?.querySelector('th');
    if (!scrolls || element === null || header == null) return;
    const place = () => {
      const top = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
      const { top: begin, height } = element.getBoundingClientRect();
      element.style.setProperty('--head', `${Math.min(Math.max(0, top - begin), Math.max(0, height - header.offsetHeight))}px`);
    };
    place();
    window.addEventListener('scroll', place, { passive: true });
    return () => window.removeEventListener('scroll', place);
  }, [frame, scrolls]);
  return scrolls;
}
