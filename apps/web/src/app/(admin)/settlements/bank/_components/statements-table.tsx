'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';

const WithdrawDialog = dynamic(() =>
  import('#/app/(admin)/settlements/_components/corrections/withdraw-dialog.tsx').then((module) => module.WithdrawDialog),
);

type Statement = RouterOutputs['settlements']['bank']['statements'][number];

/** The statements that were imported, the newest first. */
export function StatementsTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const can = useCan();
  const [withdrawn, setWithdrawn] = useState<Statement | null>(null);
  const { data } = useQuery(trpc.settlements.bank.statements.queryOptions(scopeFilter(scope)));
  if (data === undefined || data.length === 0) return null;
  const columns = [...COLUMNS, stateOf((merchantId) => can('reconciliation:resolve', merchantId), setWithdrawn)];
  return (
    <div className="mt-8">
      <h2 className="mb-2 text-base font-semibold">Statements</h2>
      <DataTable
        label="Statements"
        name="bank-statements"
        columns={columns}
        rows={data}
        rowKey={({ statementId }) => statementId}
      />
      {withdrawn !== null && (
        <WithdrawDialog
          target={{ merchantId: withdrawn.merchantId, what: 'statement', id: withdrawn.statementId }}
          name={withdrawn.name}
          onClose={() => setWithdrawn(null)}
        />
      )}
    </div>
  );
}

function stateOf(may: (merchantId: string) => boolean, onWithdraw: (statement: Statement) => void): DataColumn<Statement> {
  return {
    id: 'state',
    header: 'State',
    fixed: true,
    labelled: true,
    cell: (statement) => {
      if (statement.withdrawnAt !== null) return <Badge tone="over">Withdrawn</Badge>;
      return may(statement.merchantId) ? (
        <Button onClick={() => onWithdraw(statement)}>Withdraw…</Button>
      ) : (
        <Badge tone="good">Counts</Badge>
      );
    },
  };
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
