'use client';

import { useQuery } from '@tanstack/react-query';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Statement = RouterOutputs['settlements']['bank']['statements'][number];

/** The statements that were imported, the newest first. */
export function StatementsTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.bank.statements.queryOptions(scopeFilter(scope)));
  if (data === undefined || data.length === 0) return null;
  return (
    <div className="mt-8">
      <h2 className="mb-2 text-base font-semibold">Statements</h2>
      <DataTable
        label="Statements"
        name="bank-statements"
        columns={COLUMNS}
        rows={data}
        rowKey={({ statementId }) => statementId}
      />
    </div>
  );
}

const COLUMNS: readonly DataColumn<Statement>[] = [
  {
    id: 'statement',
    header: 'Statement',
    fixed: true,
    className: 'card:area-main',
    cell: ({ name, hash }) => <span title={`SHA-256 ${hash}`}>{name}</span>,
  },
  { id: 'form', header: 'Form', className: 'card:area-second', cell: ({ format }) => format.toUpperCase() },
  {
    id: 'lines',
    header: 'New lines',
    className: 'tabular-nums text-end card:area-aside',
    cell: ({ lines }) => (
      <>
        {lines.toLocaleString('en')}
        <span className="hidden card:inline"> new</span>
      </>
    ),
  },
  {
    id: 'known',
    header: 'Already imported',
    className: 'tabular-nums text-end @max-[640px]/room:hidden',
    cell: ({ known }) => known.toLocaleString('en'),
  },
  {
    id: 'who',
    header: 'Imported by',
    className: '@max-[720px]/room:hidden td:text-ink-quiet',
    cell: ({ takenByName }) => takenByName ?? '–',
  },
  {
    id: 'when',
    header: 'Imported',
    className: 'td:text-ink-quiet card:area-third card:text-end',
    cell: ({ takenAt }) => <Moment value={takenAt} />,
  },
];
