'use client';

import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { roles } from '#/components/list/table-roles.ts';
import type { ListState } from '#/components/list/use-list.ts';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { statusLabel } from '#/copy/discrepancies.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { formatDecimal, groupDecimal } from '#/format/amounts.ts';
import { clockIn } from '#/format/calendar.ts';
import { idOf, isNumber, type QueryResult } from '../query-result.ts';
import type { Column } from '../ready-queries.ts';

/** A query's rows, in the order of the list, and their totals by currency. */
export function ResultTable({ result, list, zone }: { result: QueryResult; list: ListState; zone: string }) {
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
}

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
