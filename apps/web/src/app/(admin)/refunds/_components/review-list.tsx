'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '../../../../components/badge.tsx';
import { Button } from '../../../../components/button.tsx';
import type { DataColumn } from '../../../../components/data-table/data-table.tsx';
import { groupAmount, groupDecimal } from '../../../../money/amounts.ts';
import { useMay } from '../../../../trpc/use-may.ts';
import { isFiltered, type MoneyFilters } from '../filters.ts';
import { MoneyTable, moneyColumns } from './money-table.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { type ReviewRow, useReviews } from './use-money.ts';

const ReviewDialog = dynamic(() => import('./review-dialog.tsx').then((module) => module.ReviewDialog));

/** Payments whose money waits for somebody's decision. */
export function ReviewList({ filters, onClear }: { filters: MoneyFilters; onClear: () => void }) {
  const list = useReviews(filters);
  const may = useMay();
  const [open, setOpen] = useState<ReviewRow | null>(null);
  return (
    <>
      <MoneyTable
        label="Payments under review"
        list={list}
        rowKey={(row) => row.paymentId}
        before={COLUMNS}
        note={{ header: 'Why', cell: whyCell }}
        actions={(row) =>
          row.refunding ? (
            <Badge tone="wait" title="A refund of it is under way; the review closes when it is done">
              On its way back
            </Badge>
          ) : (
            (may('payment:refund', row.merchantId) || may('payment:review', row.merchantId)) && (
              <Button onClick={() => setOpen(row)}>Decide…</Button>
            )
          )
        }
        empty={
          isFiltered(filters) ? (
            <NothingYet title="No review fits these filters" onClear={onClear} />
          ) : (
            <NothingYet title="Nothing waits for a decision">
              When a gateway received another amount or currency than the order says, the payment stays pending and is listed here
              with what was expected and what came.
            </NothingYet>
          )
        }
      />
      {open !== null && <ReviewDialog review={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const COLUMNS: readonly DataColumn<ReviewRow>[] = [
  {
    id: 'expected',
    header: 'Expected',
    className: moneyColumns.expected,
    cell: ({ currency, amount }) => `${currency} ${groupAmount(amount)}`,
  },
  {
    id: 'received',
    header: 'Received',
    className: moneyColumns.amount,
    cell: ({ receivedCurrency, receivedAmount }) =>
      receivedAmount === null ? '–' : `${receivedCurrency} ${groupDecimal(receivedAmount)}`,
  },
];

function whyCell({ reviewReason, failureMessage, refunding }: ReviewRow) {
  if (failureMessage !== null && !refunding) {
    return <span className={moneyColumns.trouble} title={failureMessage}>{`Refund failed: ${failureMessage}`}</span>;
  }
  return <span title={reviewReason ?? undefined}>{reviewReason}</span>;
}
