'use client';

import dynamic from 'next/dynamic';
import { useCallback, useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { formatDecimal, formatMoney, subtractDecimals } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type MoneyListProps, MoneyTable, moneyColumns } from './money-table.tsx';
import { type ReviewRow, useReviewCount, useReviews } from './use-refunds.ts';

const ReviewDialog = dynamic(() => import('./review-dialog.tsx').then((module) => module.ReviewDialog));

/** Payments under review. */
export function ReviewList(props: MoneyListProps) {
  const [open, setOpen] = useState<ReviewRow | null>(null);
  const actions = useCallback((row: ReviewRow) => <Actions row={row} onOpen={setOpen} />, []);
  return (
    <>
      <MoneyTable
        label="Payments under review"
        useRows={useReviews}
        rowKey={keyOf}
        noun={NOUN}
        total={useReviewCount(props.filters)}
        before={COLUMNS}
        note={NOTE}
        actions={actions}
        empty={EMPTY}
        {...props}
      />
      {open !== null && <ReviewDialog review={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const NOUN = ['review', 'reviews'] as const;
const EMPTY = {
  title: 'Nothing to review',
  text: 'When a gateway received another amount or currency than the order says, or does not say for a week whether it was paid, the payment stays pending and is listed here with the reason.',
};
const keyOf = ({ paymentId }: ReviewRow) => paymentId;

function Actions({ row, onOpen }: { row: ReviewRow; onOpen: (row: ReviewRow) => void }) {
  const can = useCan();
  if (row.refunding) {
    return (
      <Badge tone="wait" title="A refund is processing; the review closes when it succeeds">
        Refunding
      </Badge>
    );
  }
  const may = can('payment:refund', row.merchantId) || can('payment:review', row.merchantId);
  return may && <Button onClick={() => onOpen(row)}>Review…</Button>;
}

const COLUMNS: readonly DataColumn<ReviewRow>[] = [
  {
    id: 'received',
    header: 'Received',
    className: moneyColumns.amount,
    money: ({ currency, receivedCurrency, receivedAmount: amount }) =>
      amount === null ? null : { currency: receivedCurrency ?? currency, amount },
  },
  { id: 'expected', header: 'Expected', className: moneyColumns.expected, money: (row) => row },
];

function whyCell(row: ReviewRow) {
  const { reviewReason, failureMessage, refunding, amount, currency, receivedAmount, receivedCurrency, mismatched } = row;
  if (failureMessage !== null && !refunding) {
    return <span className={moneyColumns.trouble} title={failureMessage}>{`Refund failed: ${failureMessage}`}</span>;
  }
  if (mismatched.length > 1) {
    const each = mismatched.map((one) => formatMoney(one.receivedCurrency ?? currency, one.receivedAmount));
    return <span title={reviewReason ?? undefined}>{`${mismatched.length} amounts received: ${each.join(', ')}`}</span>;
  }
  const same = receivedCurrency === currency && receivedAmount !== null;
  const why = same ? describeDifference(currency, amount, receivedAmount) : reviewReason;
  return <span title={reviewReason ?? undefined}>{why ?? reviewReason}</span>;
}

const NOTE = { header: 'Reason', cell: whyCell };

/**
 * How an exact decimal that was received differs from what was expected: `500.00 short`, `100.50 too much`; null when it does not.
 */
export function describeDifference(currency: string, expected: bigint, received: string): string | null {
  const difference = subtractDecimals(received, expected.toString());
  if (difference === '0') return null;
  return difference.startsWith('-')
    ? `${formatDecimal(currency, difference.slice(1))} short`
    : `${formatDecimal(currency, difference)} too much`;
}
