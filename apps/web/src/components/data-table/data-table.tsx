'use client';

import {
  type ColumnDef,
  createSortedRowModel,
  functionalUpdate,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  sortFn_datetime,
  sortFn_text,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  Fragment,
  isValidElement,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { shortcutsAreOn } from '#/app-shell/commands/command-store.ts';
import type { ListSort } from '../list/list-parsers.ts';
import { roles } from '../list/table-roles.ts';
import { SORTED, SortButton } from '../sort-button/sort-button.tsx';
import { type DataColumn, type ShownColumn, shownColumns } from './columns.tsx';
import { ColumnsButton } from './columns-button.tsx';
import classes from './data-table.module.css';
import { useListKeys } from './use-list-keys.ts';
import { useTableColumns } from './use-table-columns.ts';
import { useSidewaysScroll, useSteadyWidths } from './use-widths.ts';

/** The rows that are selected, and how that changes. */
export interface DataSelection<Row> {
  /** Keys of rows. */
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** Names a row for screen readers: `order 4711`. */
  readonly nameOf: (row: Row) => string;
  readonly isSelectable?: (row: Row) => boolean;
}

/** A table's rows and columns, and what happens at its end. */
export interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  /** The viewer's choice of columns is kept under this name; that of the saved views, where the list has some. */
  readonly name: string;
  /** Every column the table can have, in the default order. */
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The row that is open beside the table. */
  readonly openKey?: string | null;
  /** Called when the end comes into sight. */
  readonly onNearEnd?: (() => void) | undefined;
  /** The order the rows have. Undefined for a table that keeps its order to itself, or has one only. */
  readonly sort?: ListSort | undefined;
  readonly onSort?: ((sort: ListSort) => void) | undefined;
  readonly selection?: DataSelection<Row> | undefined;
}

const ROW_HEIGHT = 40;
const OVERSCAN = 6;
const NEAR_END = 15;
const SELECT_WIDTH = 40;
/** Size for the server's rendering: the rows of a laptop screen. Each one more makes the page interactive later. */
const FIRST_RECT = { width: 1_200, height: 560 };
const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic, datetime: sortFn_datetime, text: sortFn_text },
  rowSelectionFeature,
});

/**
 * A table over any number of rows, of which only those near the window exist. People choose, order and pin its columns. In a narrow
 * container, its style sheet shows each row as a card; the roles are written out because that takes them from the elements. Rows are
 * walked and chosen by keys.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { isHydrating, scrolledTo } = useHydration();
  // A page that was scrolled when it was loaded again is hydrated as the server rendered it, from its top; then its rows are others.
  const [isFirst] = useState(isHydrating);
  const isScrolled = isFirst && !isHydrating && scrolledTo > 0;
  return <Table key={isScrolled ? 'scrolled' : 'first'} {...props} isHydrating={isHydrating} />;
}

let scrolledAtFirst: number | null = null;

/** True while the page takes over what the server rendered, and where the browser had scrolled it to by then. */
function useHydration(): { readonly isHydrating: boolean; readonly scrolledTo: number } {
  const offset = useSyncExternalStore(
    () => () => undefined,
    () => (scrolledAtFirst ??= window.scrollY),
    () => null,
  );
  return { isHydrating: offset === null, scrolledTo: offset ?? 0 };
}

const stay = () => undefined;

function Table<Row extends RowData>({ isHydrating, ...props }: DataTableProps<Row> & { isHydrating: boolean }) {
  const { label, name, rows, openKey = null, onNearEnd, selection } = props;
  const choice = useTableColumns(name, props.columns);
  const { empty, columns } = useFilled(choice.shown, rows);
  const body = useRef<HTMLTableSectionElement>(null);
  useListKeys(body, shortcutsAreOn);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    setScrollMargin((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);

  const definitions = useMemo(
    () =>
      columns.map(
        ({ id, header, sortable, sortValue }): ColumnDef<typeof features, Row> => ({
          id,
          header,
          // Without values to sort by, the rows come sorted: the accessor only marks the column as one to sort by.
          ...(sortable !== undefined && { accessorFn: (row: Row) => sortValue?.(row) ?? undefined }),
          enableSorting: sortable !== undefined,
          sortDescFirst: sortable === 'descending',
          sortUndefined: 'last',
        }),
      ),
    [columns],
  );
  const columnOf = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const table = useSortedTable({ ...props, columns }, definitions);
  const tableRows = table.getRowModel().rows;

  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: tableRows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: FIRST_RECT,
    // The table leaves the page where it is scrolled to.
    ...(isHydrating && { initialOffset: 0, scrollToFn: stay }),
    getItemKey: (index) => tableRows[index]?.id ?? index,
  });
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastShown >= tableRows.length - NEAR_END) onNearEnd?.();
  }, [lastShown, tableRows.length, onNearEnd]);

  const above = (shown[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtualizer.getTotalSize() - ((shown.at(-1)?.end ?? scrollMargin) - scrollMargin);
  const head = useRef<HTMLTableRowElement>(null);
  const filling = (columns.find(({ wraps, fills }) => wraps === true || fills === true) ?? columns.at(-1))?.id;
  const { widths, lefts } = useSteadyWidths(
    head,
    columns,
    choice.pinned,
    filling,
    lastShown,
    selection === undefined ? 0 : SELECT_WIDTH,
  );
  const frame = useRef<HTMLDivElement>(null);
  const scrolls = useSidewaysScroll(frame);
  return (
    <div className={classes.container}>
      {choice.columns.length > 2 && (
        <div className={classes.tools}>
          <ColumnsButton table={choice} empty={empty} />
        </div>
      )}
      <div
        ref={frame}
        className={classes.frame}
        data-chosen={choice.isChosen}
        {...(scrolls && { 'data-scrolls': true, role: 'region', tabIndex: 0, 'aria-label': `${label}, scrolls sideways` })}
      >
        <table className={classes.table} aria-label={label} {...roles.table}>
          <thead {...roles.group}>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} ref={head} {...roles.row}>
                {selection !== undefined && (
                  <th
                    {...roles.columnHeader}
                    className={classes.select}
                    {...(lefts.size > 0 && { 'data-pinned': true, style: { left: 0 } })}
                  >
                    <Checkbox
                      label="Select all loaded rows"
                      checked={table.getIsAllRowsSelected()}
                      some={table.getIsSomeRowsSelected()}
                      onChange={table.getToggleAllRowsSelectedHandler()}
                    />
                  </th>
                )}
                {group.headers.map((header) => (
                  <th
                    key={header.id}
                    {...roles.columnHeader}
                    className={columnOf.get(header.column.id)?.className}
                    data-column={header.column.id}
                    data-fills={header.column.id === filling}
                    data-cuts={columnOf.get(header.column.id)?.fills}
                    data-pinned={lefts.has(header.column.id) || undefined}
                    style={{
                      minWidth: header.column.id === filling ? undefined : widths[header.column.id],
                      left: lefts.get(header.column.id),
                    }}
                    {...(header.column.getCanSort() && { 'aria-sort': SORTED[header.column.getIsSorted() || 'none'] })}
                  >
                    {header.column.getCanSort() ? (
                      <SortButton direction={header.column.getIsSorted()} onClick={() => header.column.toggleSorting()}>
                        <table.FlexRender header={header} />
                      </SortButton>
                    ) : (
                      <span className={columnOf.get(header.column.id)?.unseen === true ? 'sr-only' : undefined}>
                        <table.FlexRender header={header} />
                      </span>
                    )}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody ref={body} {...roles.group} data-walked>
            <Spacer height={above} />
            {shown.map((item) => {
              const row = tableRows[item.index];
              if (row === undefined) return null;
              return (
                <BodyRow
                  key={row.id}
                  row={row}
                  columns={columns}
                  lefts={lefts}
                  index={item.index}
                  isOpen={row.id === openKey}
                  isSelected={row.getIsSelected()}
                  nameOf={selection?.nameOf}
                  measure={virtualizer.measureElement}
                />
              );
            })}
            <Spacer height={below} />
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The columns in which some row has something, and the ids of the others: they fold away. Those that are always shown stay. */
function useFilled<Row>(chosen: readonly DataColumn<Row>[], rows: readonly Row[]) {
  return useMemo(() => {
    const shown = shownColumns(chosen, rows);
    const isEmpty = ({ fixed, cell }: ShownColumn<Row>) =>
      fixed !== true && rows.length > 0 && rows.every((row) => isBlank(cell(row)));
    const empty = new Set(shown.filter(isEmpty).map(({ id }) => id));
    return { empty, columns: empty.size === 0 ? shown : shown.filter(({ id }) => !empty.has(id)) };
  }, [chosen, rows]);
}

function RowOfTable<Row extends RowData>({
  row,
  columns,
  lefts,
  index,
  isOpen,
  isSelected,
  nameOf,
  measure,
}: {
  row: TableRow<typeof features, Row>;
  columns: readonly ShownColumn<Row>[];
  /** Where the pinned columns stay, in pixels from the left of the table. */
  lefts: ReadonlyMap<string, number>;
  index: number;
  isOpen: boolean;
  isSelected: boolean;
  /** Undefined where rows cannot be selected. */
  nameOf: DataSelection<Row>['nameOf'] | undefined;
  measure: (element: HTMLTableRowElement | null) => void;
}) {
  return (
    <tr
      {...roles.row}
      className={classes.row}
      data-index={index}
      tabIndex={-1}
      ref={measure}
      data-open={isOpen}
      onClick={openRow}
    >
      {nameOf !== undefined && (
        <td {...roles.cell} className={classes.select} {...(lefts.size > 0 && { 'data-pinned': true, style: { left: 0 } })}>
          {row.getCanSelect() && (
            <Checkbox label={`Select ${nameOf(row.original)}`} checked={isSelected} onChange={row.getToggleSelectedHandler()} />
          )}
        </td>
      )}
      {columns.map(({ id, header, className, labelled, wraps, fills, cell }) => (
        <td
          key={id}
          {...roles.cell}
          className={className}
          data-wraps={wraps}
          data-name={labelled === true ? header : undefined}
          data-cuts={fills}
          data-pinned={lefts.has(id) || undefined}
          style={leftOf(lefts, id)}
        >
          {cell(row.original)}
        </td>
      ))}
    </tr>
  );
}

function leftOf(lefts: ReadonlyMap<string, number>, id: string): CSSProperties | undefined {
  const left = lefts.get(id);
  return left === undefined ? undefined : { left };
}

/** Opens the row as its link does, where the click meets neither that link nor another control. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget, nativeEvent } = event;
  if (!(target instanceof Element) || target.closest('a, button, input, label') !== null) return;
  currentTarget.querySelector('.row-link')?.dispatchEvent(new window.MouseEvent('click', nativeEvent));
}

/** Rendered again only when something of its own changes: neither by scrolling nor by a change of another row. */
const BodyRow = memo(RowOfTable) as typeof RowOfTable;

/** The table with its order and its selection: those of the page, or its own. */
function useSortedTable<Row extends RowData>(
  { columns, rows, rowKey, sort, onSort, selection }: DataTableProps<Row>,
  definitions: ColumnDef<typeof features, Row>[],
) {
  const [own, setOwn] = useState<ListSort | null>(null);
  const order = sort ?? own;
  const sorting = useMemo(() => (order === null ? [] : [{ id: order.by, desc: order.descending }]), [order]);
  const rowSelection = useMemo(
    () => Object.fromEntries([...(selection?.selected ?? [])].map((id): [string, true] => [id, true])),
    [selection?.selected],
  );
  return useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowKey,
    state: { sorting, rowSelection },
    enableSortingRemoval: false,
    enableMultiSort: false,
    manualSorting: columns.every(({ sortValue }) => sortValue === undefined),
    onSortingChange: (updater) => {
      const [next] = functionalUpdate(updater, sorting);
      if (next !== undefined) (onSort ?? setOwn)({ by: next.id, descending: next.desc });
    },
    enableRowSelection: selection === undefined ? false : ({ original }) => selection.isSelectable?.(original) ?? true,
    onRowSelectionChange: (updater) => {
      selection?.onChange(new Set(Object.keys(functionalUpdate(updater, rowSelection))));
    },
  });
}

/** A checkbox; `some` when only some of its rows are selected. */
function Checkbox({
  label,
  checked,
  some = false,
  onChange,
}: {
  label: string;
  checked: boolean;
  some?: boolean;
  onChange: (event: unknown) => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = some && !checked;
  }, [some, checked]);
  return <input ref={box} type="checkbox" className={classes.tick} aria-label={label} checked={checked} onChange={onChange} />;
}

/** Placeholder space of rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr className={classes.spacer} {...roles.none} style={{ height }} /> : null;
}

/** True if a cell says nothing: no content, blanks or a dash, also within plain elements. A component is taken to say something. */
export function isBlank(node: ReactNode): boolean {
  if (node === null || node === undefined || typeof node === 'boolean') return true;
  if (typeof node === 'string') return /^[\s–—-]*$/.test(node);
  if (Array.isArray(node)) return node.every(isBlank);
  if (!isValidElement<{ children?: ReactNode }>(node)) return false;
  return (node.type === Fragment || node.type === 'span' || node.type === 'div') && isBlank(node.props.children);
}
