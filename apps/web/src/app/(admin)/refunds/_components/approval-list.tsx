'use client';

import dynamic from 'next/dynamic';
import { useCallback, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { APPROVAL_LABELS } from '#/copy/refunds.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type MoneyListProps, MoneyTable, moneyColumns } from './money-table.tsx';
import { type ApprovalRow, purposeOf, useApprovals } from './use-refunds.ts';

const ApprovalDialog = dynamic(() => import('./approval-dialog.tsx').then((module) => module.ApprovalDialog));

/** The refunds that need a second person, with what the viewer can do about those that wait. */
export function ApprovalList(props: MoneyListProps) {
  const [decided, setDecided] = useState<ApprovalRow | null>(null);
  const actions = useCallback((row: ApprovalRow) => <Actions row={row} onDecide={setDecided} />, []);
  return (
    <>
      <MoneyTable
        label="Approvals of refunds"
        useRows={useApprovals}
        rowKey={keyOf}
        noun={NOUN}
        before={COLUMNS}
        note={NOTE}
        actions={actions}
        empty={EMPTY}
        {...props}
      />
      {decided !== null && <ApprovalDialog approval={decided} onClose={() => setDecided(null)} />}
    </>
  );
}

const NOUN = ['refund', 'refunds'] as const;
const EMPTY = {
  title: 'No refund needed a second person yet',
  text: 'A merchant’s page says above which amount its refunds need one.',
};
const keyOf = ({ approvalId }: ApprovalRow) => approvalId;

function Actions({ row, onDecide }: { row: ApprovalRow; onDecide: (row: ApprovalRow) => void }) {
  const can = useCan();
  const { state, isOwn, merchantId, merchantOrderId } = row;
  const may = isOwn ? can('payment:refund', merchantId) : can('refund:approve', merchantId);
  if (state !== 'WAITING' || !may) return null;
  const action = isOwn ? 'Withdraw…' : 'Review…';
  return (
    <Button onClick={() => onDecide(row)} aria-label={`${action} the refund of ${merchantOrderId}`}>
      {action}
    </Button>
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

const NOTE = { header: 'Details', cell: noteCell };

/** `Ada Obi: Wrong item. Declined by Bola Ade: too much.` */
function detailsOf(row: ApprovalRow): string {
  const { state, requesterName, deciderName, decisionNote } = row;
  const asked = `${requesterName ?? 'Former team member'}: ${purposeOf(row)}`;
  const decider = deciderName ?? 'former team member';
  if (state === 'APPROVED') return `${asked}. Approved by ${decider}`;
  if (state === 'DECLINED') return `${asked}. Declined by ${decider}${decisionNote === null ? '' : `: ${decisionNote}`}`;
  return asked;
}
