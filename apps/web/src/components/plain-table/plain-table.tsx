import type { ReactNode } from 'react';
import { roles } from '../list/table-roles.ts';
import { ScrollArea } from '../scroll-area/scroll-area.tsx';
import { SORTED, SortButton } from '../sort-button/sort-button.tsx';
import classes from './plain-table.module.css';

interface PlainColumn {
  readonly title: string;
  /** Numbers are aligned to the end of their column. */
  readonly number?: boolean;
  /** The direction the rows are sorted in by this column, and the change of it; without it the header sorts nothing. */
  readonly sort?: { readonly direction: 'asc' | 'desc' | false; readonly onClick: () => void };
}

/**
 * A small table whose rows are known, mostly of numbers and often with a total, which prints whole: lists are a `DataTable`. It scrolls
 * sideways where it is too wide, and becomes cards on a phone.
 * Its children are `tbody` and `tfoot`; cells of numbers take {@link numberCell}, others that need a label on a card {@link textCell}.
 */
export function PlainTable({
  label,
  columns,
  cards = 2,
  children,
}: {
  label: string;
  columns: readonly PlainColumn[];
  /** Number of cells in a row of a card. */
  cards?: 2 | 3;
  children: ReactNode;
}) {
  return (
    <ScrollArea label={label} className="my-0 -mx-3 print:mx-0 print:overflow-visible">
      <table className={classes.table} data-cards={cards} {...roles.table}>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {columns.map(({ title, number = false, sort }) => (
              <th
                key={title}
                scope="col"
                className={number ? classes.number : undefined}
                {...roles.columnHeader}
                {...(sort && { 'aria-sort': SORTED[sort.direction || 'none'] })}
              >
                {sort === undefined ? title : <SortButton {...sort}>{title}</SortButton>}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </ScrollArea>
  );
}

/** Props of a numeric cell; `name` is its label on a card. */
export function numberCell(name: string): { className: string | undefined; 'data-name': string; role: 'cell' } {
  return { className: classes.number, 'data-name': name, ...roles.cell };
}

/** Props of a cell of text; `name` is its label on a card. */
export function textCell(name: string): { 'data-name': string; role: 'cell' } {
  return { 'data-name': name, ...roles.cell };
}
