'use client';

import { memo } from 'react';
import { z } from 'zod/mini';
import type { TableColumn } from '#/components/data-table/use-table-columns.ts';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import type { ListSort } from '#/components/list/list-parsers.ts';
import { roles } from '#/components/list/table-roles.ts';
import type { ListState } from '#/components/list/use-list.ts';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { statusLabel } from '#/copy/discrepancies.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { addDecimals, formatDecimal, groupDecimal } from '#/format/amounts.ts';
import { clockIn } from '#/format/calendar.ts';
import { csvLine } from '#/format/csv.ts';
import type { Column, QueryParameters, ReadyQuery } from '../ready-queries.ts';

/** A query's rows, in the order of the list, and their totals by currency; drawn again only when one of them changes. */
export const ResultTable = memo(function ResultTable({
  result,
  list,
  zone,
}: {
  result: QueryResult;
  list: ListState;
  zone: string;
}) {
  if (result.rows.length === 0) return <EmptyState title="No rows">Nothing matches this period and these filters.</EmptyState>;
  const single = result.totals.length === 1 ? result.totals[0]?.currency : undefined;
  const { columns, rows, totals } = single === undefined ? result : withoutCurrency(result);
  return (
    <PlainTable
      label="Result"
      cards={3}
      columns={columns.map((column) => ({
        title: column.kind === 'money' && single ? `${column.title}, ${single}` : column.title,
        number: isNumber(column),
        sort: sortOf(column, list),
      }))}
    >
      <tbody {...roles.group}>
        {rows.map((cells, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id and are replaced together
          <tr key={at} {...roles.row}>
            <Cells columns={columns} cells={cells} zone={zone} />
          </tr>
        ))}
      </tbody>
      <tfoot {...roles.group}>
        {totals.map(({ currency, cells }) => (
          <tr key={currency} {...roles.row}>
            <Cells
              columns={columns}
              cells={cells}
              zone={zone}
              first={single === undefined && currency !== '' ? `Total, ${currency}` : 'Total'}
            />
          </tr>
        ))}
      </tfoot>
    </PlainTable>
  );
});

/** How a column sorts the rows: its first click begins with what is wanted first, the next one turns the order round. */
function sortOf(column: Column, { definition, sort, setSort }: ListState) {
  const by = idOf(column);
  const isSorted = sort?.by === by;
  const first = definition.orders?.find((order) => order.by === by)?.descending ?? false;
  return {
    direction: isSorted && (sort.descending ? ('desc' as const) : ('asc' as const)),
    onClick: () => setSort({ by, descending: isSorted ? !sort.descending : first }),
  };
}

/** The headers of amounts name the currency where all rows have the same one. */
function withoutCurrency({ columns, rows, totals, ...rest }: QueryResult): QueryResult {
  const isKept = (_: unknown, at: number) => {
    const column = columns[at];
    return column === undefined || column.kind !== 'text' || column.path !== 'currency';
  };
  return {
    ...rest,
    columns: columns.filter(isKept),
    rows: rows.map((cells) => cells.filter(isKept)),
    totals: totals.map(({ currency, cells }) => ({ currency, cells: cells.filter(isKept) })),
  };
}

function Cells({
  columns,
  cells,
  zone,
  first,
}: {
  columns: readonly Column[];
  cells: readonly string[];
  zone: string;
  /** Instead of the first cell, or before its number. */
  first?: string;
}) {
  return columns.map((column, at) => {
    const value = cells[at] ?? '';
    if (first !== undefined && at === 0) {
      return (
        <th key={column.title} scope="row" {...roles.rowHeader}>
          {isNumber(column) ? `${first}: ${formatCell(column, value, zone)}` : first}
        </th>
      );
    }
    if (isNumber(column)) {
      return (
        <td key={column.title} {...numberCell(column.title)}>
          {formatCell(column, value, zone)}
        </td>
      );
    }
    return (
      <td key={column.title} {...roles.cell}>
        {first === undefined && formatCell(column, value, zone)}
      </td>
    );
  });
}

function formatCell({ kind }: Column, value: string, zone: string): string {
  if (value === '' && kind !== 'gateway') return '–';
  switch (kind) {
    case 'count':
      return groupDecimal(value);
    case 'money':
      return formatDecimal(null, value);
    case 'share':
      return `${(Number(value) * 100).toFixed(1)}%`;
    case 'gateway':
      return gatewayTitle(value);
    case 'method':
      return methodTitle(value);
    case 'status':
      return statusLabel(value);
    case 'moment':
      return clockIn(zone, Date.parse(value)).replace('T', ' ');
    case 'text':
      return value;
    default:
      return kind satisfies never;
  }
}

/** A row of an answer, as it came. */
type ResultRow = Readonly<Record<string, unknown>>;

/** The total of one currency: a value for each column, empty where it has none. */
interface Total {
  readonly currency: string;
  readonly cells: readonly string[];
}

/** A query's answer as a table. Values are plain: exact decimals, ISO times, shares from 0 to 1. */
interface QueryResult {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  readonly totals: readonly Total[];
  /** True if there are more rows than were read. */
  readonly hasMore: boolean;
}

const answer = z.object({
  data: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  errors: z.optional(z.array(z.object({ message: z.string() }))),
});
const fields = z.record(z.string(), z.unknown());

/** Reads the answer of a query. Throws with the server's words where it refused. */
export function readResult(query: ReadyQuery, parameters: QueryParameters, body: unknown): QueryResult {
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw new Error('The reporting service could not be reached. Try again.');
  const { data, errors } = parsed.data;
  if (errors !== undefined && errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
  const [field = ''] = query.rows.split('.');
  const problems = valueAt(data, `${field}.problems`);
  if (Array.isArray(problems)) throw new Error(problems.join(', '));
  const found = valueAt(data, query.rows);
  const rows = z
    .array(fields)
    .parse(found ?? [])
    .map((row) => fields.safeParse(row.node).data ?? row);
  const columns = query.columns(parameters);
  return {
    columns,
    rows: rows.map((row) => columns.map((column) => cellOf(column, [row]))),
    totals: totalsOf(query, columns, rows, textOf(valueAt(data, `${field}.currency`))),
    hasMore: valueAt(data, `${field}.pageInfo.hasNextPage`) === true,
  };
}

/** The sum of each column that can be added up, by currency: exactly what its rows add up to. `ofAll` is the answer's own currency. */
function totalsOf(query: ReadyQuery, columns: readonly Column[], rows: readonly ResultRow[], ofAll: string): Total[] {
  const byCurrency = Map.groupBy(rows, (row) =>
    query.currency === null ? ofAll : textOf(valueAt(row, query.currency)) || textOf(valueAt(row, 'ledger.currency')),
  );
  return [...byCurrency].map(([currency, some]) => ({
    currency,
    cells: columns.map((column) => (isNumber(column) ? cellOf(column, some) : '')),
  }));
}

/** A column's id, which its query has once: `paid-amount`. */
export function idOf({ title }: Column): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** The columns of a query as those of a list. The first one says what a row is about: it is always shown. */
export function listColumns(columns: readonly Column[]): readonly TableColumn[] {
  return columns.map((column, at) => ({ id: idOf(column), header: column.title, fixed: at === 0 }));
}

/** The orders of a query's result: first the one it comes in, by its first column. Numbers and times begin with the greatest. */
export function listOrders(columns: readonly Column[]): [ListSort, ...ListSort[]] {
  const [first, ...rest] = columns.map((column) => ({
    by: idOf(column),
    descending: isNumber(column) || column.kind === 'moment',
  }));
  if (first === undefined) throw new Error('a query has no columns');
  return [first, ...rest];
}

/** A result with the columns of these ids only, in their order, and its rows sorted by one of all its columns. Empty values are last. */
export function arrange(result: QueryResult, shown: readonly string[], { by, descending }: ListSort): QueryResult {
  const places = shown.map((id) => result.columns.findIndex((column) => idOf(column) === id)).filter((place) => place >= 0);
  const pick = (cells: readonly string[]) => places.map((place) => cells[place] ?? '');
  const sortPlace = result.columns.findIndex((column) => idOf(column) === by);
  const compare = comparisonOf(result.columns[sortPlace]);
  const rows = result.rows.toSorted((left, right) => {
    const [one = '', other = ''] = [left[sortPlace], right[sortPlace]];
    if (one === '' || other === '') return Number(one === '') - Number(other === '');
    return descending ? compare(other, one) : compare(one, other);
  });
  return {
    ...result,
    columns: places.flatMap((place) => result.columns[place] ?? []),
    rows: rows.map(pick),
    totals: result.totals.map(({ currency, cells }) => ({ currency, cells: pick(cells) })),
  };
}

function comparisonOf(column: Column | undefined): (left: string, right: string) => number {
  if (column === undefined) return () => 0;
  return isNumber(column) ? (left, right) => Number(left) - Number(right) : (left, right) => left.localeCompare(right, 'en');
}

/** True if a column holds numbers. */
function isNumber({ kind }: Column): boolean {
  return kind === 'count' || kind === 'money' || kind === 'share';
}

/** A column's value of one row, or of several together. */
function cellOf(column: Column, rows: readonly ResultRow[]): string {
  switch (column.kind) {
    case 'share': {
      const part = Number(sumOf([column.part], rows));
      const whole = Number(sumOf(column.whole, rows));
      return whole === 0 || whole < (column.least ?? 0) ? '' : (part / whole).toFixed(6);
    }
    case 'count':
      if (column.minus !== undefined) return String(Number(sumOf([column.path], rows)) - Number(sumOf([column.minus], rows)));
      return rows.length === 1 ? textOf(valueAt(rows[0], column.path)) : sumOf([column.path], rows);
    case 'money':
      return inHundredths(rows.length === 1 ? textOf(valueAt(rows[0], column.path)) : sumOf([column.path], rows));
    case 'text':
    case 'gateway':
    case 'method':
    case 'status':
    case 'moment':
      return textOf(valueAt(rows[0], column.path));
    default:
      return column satisfies never;
  }
}

/** An amount with both digits of its hundredths, where it has any: `12.5` is `12.50`. Further digits stay. */
function inHundredths(amount: string): string {
  return /\.\d$/.test(amount) ? `${amount}0` : amount;
}

function sumOf(paths: readonly string[], rows: readonly ResultRow[]): string {
  return addDecimals(rows.flatMap((row) => paths.map((path) => textOf(valueAt(row, path)) || '0')));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => {
    const parsed = fields.safeParse(found);
    return parsed.success ? parsed.data[name] : undefined;
  }, value);
}

/** The table as comma-separated values: titles, rows, and the totals last. */
export function toCsv({ columns, rows, totals }: QueryResult): string {
  const several = totals.length > 1;
  const last = totals.map(({ currency, cells }) =>
    cells.map((cell, at) => (at === 0 && cell === '' ? `Total${several ? ` ${currency}` : ''}` : cell)),
  );
  const numbers = columns.map(isNumber);
  return [
    csvLine(columns.map(({ title }) => title)),
    ...[...rows, ...last].map((cells) => csvLine(cells, (at) => numbers[at] === true)),
  ].join('');
}
