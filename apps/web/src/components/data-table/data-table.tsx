'use client';

import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { roles } from '../table-roles.ts';
import classes from './data-table.module.css';

/** One column: its title and its cells. */
export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** The header is visible to screen readers only. */
  readonly unseen?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Width, alignment, and below which width of the table the column is left out. */
  readonly className?: string | undefined;
}

/** A table's rows and columns, and what happens at its end. */
export interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The row that is open beside the table. */
  readonly openKey?: string | null;
  /** Called when the end comes into sight. */
  readonly onNearEnd?: (() => void) | undefined;
}

const ROW_HEIGHT = 40;
const OVERSCAN = 14;
const NEAR_END = 15;
/** What the server renders: about one large screen. */
const FIRST_RECT = { width: 1_200, height: 1_000 };
const features = tableFeatures({});

/**
 * A table over any number of rows, of which only those near the window exist. In a narrow container, its style sheet shows
 * each row as a card; the roles are written out because that takes them from the elements.
 */
export function DataTable<Row extends RowData>({ label, columns, rows, rowKey, openKey = null, onNearEnd }: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    setScrollMargin((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);

  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, Row> => ({
          id: column.id,
          header: column.header,
          cell: ({ row }) => column.cell(row.original),
        }),
      ),
    [columns],
  );
  const classOf = useMemo(() => new Map(columns.map(({ id, className }) => [id, className])), [columns]);
  const unseen = useMemo(() => new Set(columns.flatMap(({ id, unseen: isUnseen }) => (isUnseen ? [id] : []))), [columns]);
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowKey });
  const tableRows = table.getRowModel().rows;

  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: tableRows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: FIRST_RECT,
    getItemKey: (index) => tableRows[index]?.id ?? index,
  });
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastShown >= tableRows.length - NEAR_END) onNearEnd?.();
  }, [lastShown, tableRows.length, onNearEnd]);

  const above = (shown[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtualizer.getTotalSize() - ((shown.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <div className={classes.room}>
      <table className={classes.table} aria-label={label} {...roles.table}>
        <thead {...roles.group}>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} {...roles.row}>
              {group.headers.map((header) => (
                <th key={header.id} {...roles.columnHeader} className={classOf.get(header.column.id)}>
                  <span className={unseen.has(header.column.id) ? 'visually-hidden' : undefined}>
                    <table.FlexRender header={header} />
                  </span>
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody ref={body} {...roles.group}>
          <Spacer height={above} />
          {shown.map((item) => {
            const row = tableRows[item.index];
            if (row === undefined) return null;
            return (
              <tr
                key={row.id}
                {...roles.row}
                className={classes.row}
                data-index={item.index}
                ref={virtualizer.measureElement}
                data-open={row.id === openKey}
              >
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} {...roles.cell} className={classOf.get(cell.column.id)}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={below} />
        </tbody>
      </table>
    </div>
  );
}

/** Placeholder space of rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr className={classes.spacer} {...roles.none} style={{ height }} /> : null;
}
