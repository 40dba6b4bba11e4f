'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/data-table.tsx';
import { APPROVAL_LABELS } from '#/copy/refunds.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { isFiltered } from '../filters.ts';
import { Money, type MoneyListProps, MoneyTable, moneyColumns, NothingYet, oneCurrency, sortOf } from './money-table.tsx';
import { type ApprovalRow, purposeOf, useApprovals } from './use-refunds.ts';

const ApprovalDialog = dynamic(() => import('./approval-dialog.tsx').then((module) => module.ApprovalDialog));

/** The refunds that need a second person, with what the viewer can do about those that wait. */
export function ApprovalList({ filters, tools, onClear }: MoneyListProps) {
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
        before={columnsOf(oneCurrency(list.rows))}
        note={{ header: 'Details', cell: noteCell }}
        actions={(row) =>
          row.state === 'WAITING' &&
          can('payment:refund', row.merchantId) && (
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
            <NothingYet title="No refunds match these filters" onClear={onClear} />
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

function columnsOf(currency: string | null): readonly DataColumn<ApprovalRow>[] {
  return [
    { id: 'state', header: 'Status', className: moneyColumns.state, cell: stateCell },
    {
      id: 'amount',
      header: currency === null ? 'Amount' : `Amount, ${currency}`,
      sortable: 'descending',
      className: moneyColumns.amount,
      cell: (row) => (
        <Money currency={row.currency} of={currency}>
          {formatDecimal(row.currency, row.amount)}
        </Money>
      ),
    },
  ];
}

function stateCell({ state }: ApprovalRow) {
  const { word, tone, meaning } = APPROVAL_LABELS[state];
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}

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
