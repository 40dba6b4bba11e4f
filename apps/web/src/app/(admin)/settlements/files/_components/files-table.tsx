'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';

const WithdrawDialog = dynamic(() =>
  import('#/app/(admin)/settlements/_components/corrections/withdraw-dialog.tsx').then((module) => module.WithdrawDialog),
);

type SettlementFile = RouterOutputs['settlements']['files']['list'][number];

/** The files that were imported, the newest first. */
export function FilesTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const can = useCan();
  const [withdrawn, setWithdrawn] = useState<SettlementFile | null>(null);
  const { data } = useQuery(trpc.settlements.files.list.queryOptions(scopeFilter(scope)));
  if (data === undefined) return null;
  if (data.length === 0) {
    return (
      <EmptyState title="No file yet">Imported files are listed here, with who imported them and what they contain.</EmptyState>
    );
  }
  const columns = [...COLUMNS, stateOf((merchantId) => can('reconciliation:resolve', merchantId), setWithdrawn)];
  return (
    <>
      <DataTable label="Files" name="settlement-files" columns={columns} rows={data} rowKey={({ fileId }) => fileId} />
      {withdrawn !== null && (
        <WithdrawDialog
          target={{ merchantId: withdrawn.merchantId, what: 'file', id: withdrawn.fileId }}
          name={withdrawn.name}
          onClose={() => setWithdrawn(null)}
        />
      )}
    </>
  );
}

function stateOf(may: (merchantId: string) => boolean, onWithdraw: (file: SettlementFile) => void): DataColumn<SettlementFile> {
  return {
    id: 'state',
    header: 'State',
    fixed: true,
    labelled: true,
    cell: (file) => {
      if (file.withdrawnAt !== null) return <Badge tone="over">Withdrawn</Badge>;
      return may(file.merchantId) ? (
        <Button onClick={() => onWithdraw(file)}>Withdraw…</Button>
      ) : (
        <Badge tone="good">Counts</Badge>
      );
    },
  };
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
    cell: ({ settlements, replaced, extended }) => (
      <>
        {settlements.toLocaleString('en')}
        {replaced > 0 && <span className="text-ink-quiet"> · {replaced.toLocaleString('en')} replaced</span>}
        {extended > 0 && <span className="text-ink-quiet"> · {extended.toLocaleString('en')} added to</span>}
      </>
    ),
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
