'use client';

import Link from 'next/link';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import type { Scope } from '#/scope/scope.ts';
import type { Group, Measure } from '../filters.ts';
import {
  COLUMNS,
  type Column,
  hasGapBefore,
  listBehind,
  nameOf,
  type Report,
  type ReportRow,
  rowKey,
  type Sums,
} from '../report.ts';
import { changeOf, figureOf } from './figures.ts';

/** The report's rows and total. Each sum links to its payments. */
export function ReportTable({
  report,
  rows,
  group,
  measure,
  scope,
  groupTitle,
}: {
  report: Report;
  rows: readonly ReportRow[];
  group: Group;
  measure: Measure;
  scope: Scope;
  groupTitle: string;
}) {
  const columns = COLUMNS[measure];
  const context = { scope, group, report };
  const last = columns.at(-1);
  return (
    <PlainTable
      label="Figures"
      columns={[
        { title: groupTitle },
        ...columns.map((column) => ({ title: titleOf(column, report), number: true })),
        { title: last === undefined ? '' : `${last.title}, previous period`, number: true },
        { title: 'Change', number: true },
      ]}
    >
      <tbody {...roles.group}>
        {rows.map((row) => (
          <tr key={rowKey(row)} {...roles.row}>
            <th scope="row" title={nameOf(row, group)} {...roles.rowHeader}>
              {nameOf(row, group)}
            </th>
            <Numbers
              sums={row.sums}
              previous={row.previous}
              measure={measure}
              currency={report.currency}
              behind={(one) => listBehind(one, row, context)}
            />
          </tr>
        ))}
      </tbody>
      <tfoot {...roles.group}>
        <tr {...roles.row}>
          <th scope="row" {...roles.rowHeader}>
            Total
          </th>
          <Numbers
            sums={report.total}
            previous={report.previousTotal}
            measure={measure}
            currency={report.currency}
            isCompared={!hasGapBefore(rows, group)}
            behind={(one) => listBehind(one, null, context)}
          />
        </tr>
      </tfoot>
    </PlainTable>
  );
}

function titleOf({ title, kind }: Column, { currency }: Report): string {
  return kind === 'money' ? `${title}, ${currency}` : title;
}

function Numbers({
  sums,
  previous,
  measure,
  currency,
  isCompared = true,
  behind,
}: {
  sums: Sums;
  previous: Sums | null;
  measure: Measure;
  currency: string;
  isCompared?: boolean;
  behind: (column: Column) => string | null;
}) {
  const columns = COLUMNS[measure];
  const last = columns.at(-1);
  return (
    <>
      {columns.map((column) => {
        const value = column.value(sums);
        const href = value === '0' || value === '' ? null : behind(column);
        return (
          <td key={column.title} {...numberCell(column.title)}>
            {href === null ? figureOf(column, currency, sums) : <Link href={href}>{figureOf(column, currency, sums)}</Link>}
          </td>
        );
      })}
      <td {...numberCell('Previous period')} data-tone="quiet">
        {last === undefined || previous === null ? '–' : figureOf(last, currency, previous)}
      </td>
      <td {...numberCell('Change')} data-tone="quiet">
        {last === undefined ? '' : (isCompared && changeOf(last, sums, previous)) || '–'}
      </td>
    </>
  );
}
