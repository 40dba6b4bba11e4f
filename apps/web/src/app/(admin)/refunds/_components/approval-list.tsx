'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { APPROVAL_LABELS } from '#/copy/refunds.ts';
import { useCan } from '#/trpc/use-can.ts';
import { isFiltered } from '../filters.ts';
import { type MoneyListProps, MoneyTable, moneyColumns, NothingMatches, NothingYet, sortOf } from './money-table.tsx';
import { type ApprovalRow, purposeOf, useApprovals } from './use-refunds.ts';

const ApprovalDialog = dynamic(() => import('./approval-dialog.tsx').then((module) => module.ApprovalDialog));

/** The refunds that need a second person, with what the viewer can do about those that wait. */
export function ApprovalList({ filters, tools, onClear, onShowFound }: MoneyListProps) {
  const list = useApprovals(filters, sortOf(tools));
  const can = useCan();
  const [decided, setDecided] = useState<ApprovalRow | null>(null);
  return (
    <>
      <MoneyTable
        label="Approvals of refunds"
        list={list}
        rowKey={(row) => row.approvalId}
        tools={tools}
        noun={['refund', 'refunds']}
        before={COLUMNS}
        note={{ header: 'Details', cell: noteCell }}
        actions={(row) =>
          row.state === 'WAITING' &&
          (row.isOwn ? can('payment:refund', row.merchantId) : can('refund:approve', row.merchantId)) && (
            <Button
              onClick={() => setDecided(row)}
              aria-label={`${row.isOwn ? 'Withdraw…' : 'Review…'} the refund of ${row.merchantOrderId}`}
            >
              {row.isOwn ? 'Withdraw…' : 'Review…'}
            </Button>
          )
        }
        empty={
          isFiltered(filters) ? (
            <NothingMatches
              filters={filters}
              onClear={onClear}
              onShowFound={onShowFound}
              useRows={useApprovals}
              noun={['refund', 'refunds']}
            />
          ) : (
            <NothingYet title="No refund needed a second person yet">
              A merchant’s page says above which amount its refunds need one.
            </NothingYet>
          )
        }
      />
      {decided !== null && <ApprovalDialog approval={decided} onClose={() => setDecided(null)} />}
    </>
  );
}

const COLUMNS: readonly DataColumn<ApprovalRow>[] = [
  { id: 'state', header: 'Status', className: moneyColumns.state, badge: ({ state }) => APPROVAL_LABELS[state] },
  {
    id: 'amount',
    header: 'Amount',
    sortable: 'descending',
    className: moneyColumns.amount,
    money: (row) => row,
  },
];

function noteCell(row: ApprovalRow) {
  const text = detailsOf(row);
  return <span title={text}>{text}</span>;
}

/** `Ada Obi: Wrong item. Declined by Bola Ade: too much.` */
function detailsOf(row: ApprovalRow): string {
  const { state, requesterName, deciderName, decisionNote } = row;
  const asked = `${requesterName ?? 'Former team member'}: ${purposeOf(row)}`;
  const decider = deciderName ?? 'former team member';
  if (state === 'APPROVED') return `${asked}. Approved by ${decider}`;
  if (state === 'DECLINED') return `${asked}. Declined by ${decider}${decisionNote === null ? '' : `: ${decisionNote}`}`;
  return asked;
}
