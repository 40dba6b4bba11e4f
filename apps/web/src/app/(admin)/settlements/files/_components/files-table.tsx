'use client';

import { useQuery } from '@tanstack/react-query';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type SettlementFile = RouterOutputs['settlements']['files']['list'][number];

/** The files that were imported, the newest first. */
export function FilesTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.files.list.queryOptions(scopeFilter(scope)));
  if (data === undefined) return null;
  if (data.length === 0) {
    return (
      <EmptyState title="No file yet">Imported files are listed here, with who imported them and what they contain.</EmptyState>
    );
  }
  return <DataTable label="Files" name="settlement-files" columns={COLUMNS} rows={data} rowKey={({ fileId }) => fileId} />;
}

const NUMBER = 'tabular-nums text-end';
const COLUMNS: readonly DataColumn<SettlementFile>[] = [
  {
    id: 'file',
    header: 'File',
    fixed: true,
    className: 'card:area-main',
    cell: ({ name, hash }) => <span title={`SHA-256 ${hash}`}>{name}</span>,
  },
  {
    id: 'account',
    header: 'Account',
    className: 'card:area-second',
    cell: ({ accountLabel, merchantName }) => (
      <>
        {accountLabel} <span className="text-ink-quiet">· {merchantName}</span>
      </>
    ),
  },
  {
    id: 'rows',
    header: 'Rows',
    className: `${NUMBER} @max-[640px]/room:hidden`,
    cell: ({ rows }) => rows.toLocaleString('en'),
  },
  {
    id: 'settlements',
    header: 'Settlements',
    className: `${NUMBER} @max-[720px]/room:hidden`,
    cell: ({ settlements }) => settlements.toLocaleString('en'),
  },
  {
    id: 'lines',
    header: 'Lines',
    className: `${NUMBER} card:area-aside`,
    cell: ({ lines }) => (
      <>
        {lines.toLocaleString('en')}
        <span className="hidden card:inline"> lines</span>
      </>
    ),
  },
  {
    id: 'who',
    header: 'Imported by',
    className: '@max-[860px]/room:hidden td:text-ink-quiet',
    cell: ({ takenByName }) => takenByName ?? '–',
  },
  {
    id: 'when',
    header: 'Imported',
    className: 'td:text-ink-quiet card:area-third card:text-end',
    cell: ({ takenAt }) => <Moment value={takenAt} />,
  },
];
