'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/data-table.tsx';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { subtractDecimals } from '#/format/decimals.ts';
import { useCan } from '#/trpc/use-can.ts';
import { isFiltered } from '../filters.ts';
import { Money, type MoneyListProps, MoneyTable, moneyColumns, NothingYet, oneCurrency, sortOf } from './money-table.tsx';
import { type ReviewRow, useReviewCount, useReviews } from './use-refunds.ts';

const ReviewDialog = dynamic(() => import('./review-dialog.tsx').then((module) => module.ReviewDialog));

/** Payments under review. */
export function ReviewList({ filters, tools, onClear }: MoneyListProps) {
  const list = useReviews(filters, sortOf(tools));
  const total = useReviewCount(filters);
  const can = useCan();
  const [open, setOpen] = useState<ReviewRow | null>(null);
  return (
    <>
      <MoneyTable
        label="Payments under review"
        list={list}
        rowKey={(row) => row.paymentId}
        tools={tools}
        noun={['review', 'reviews']}
        total={total}
        before={columnsOf(currencyOf(list.rows))}
        note={{ header: 'Reason', cell: whyCell }}
        actions={(row) =>
          row.refunding ? (
            <Badge tone="wait" title="A refund is processing; the review closes when it succeeds">
              Refunding
            </Badge>
          ) : (
            (can('payment:refund', row.merchantId) || can('payment:review', row.merchantId)) && (
              <Button onClick={() => setOpen(row)}>Review…</Button>
            )
          )
        }
        empty={
          isFiltered(filters) ? (
            <NothingYet title="No reviews match these filters" onClear={onClear} />
          ) : (
            <NothingYet title="Nothing to review">
              When a gateway received another amount or currency than the order says, or does not say for a week whether it was
              paid, the payment stays pending and is listed here with the reason.
            </NothingYet>
          )
        }
      />
      {open !== null && <ReviewDialog review={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function columnsOf(currency: string | null): readonly DataColumn<ReviewRow>[] {
  const named = (word: string) => (currency === null ? word : `${word}, ${currency}`);
  return [
    {
      id: 'received',
      header: named('Received'),
      className: moneyColumns.amount,
      cell: (row) =>
        row.receivedAmount === null ? (
          '–'
        ) : (
          <Money currency={row.receivedCurrency ?? row.currency} of={currency}>
            {formatDecimal(row.receivedCurrency, row.receivedAmount)}
          </Money>
        ),
    },
    {
      id: 'expected',
      header: named('Expected'),
      className: moneyColumns.expected,
      cell: (row) => (
        <Money currency={row.currency} of={currency}>
          {formatDecimal(row.currency, row.amount)}
        </Money>
      ),
    },
  ];
}

/** The one currency of what was expected and of what came. */
function currencyOf(rows: readonly ReviewRow[]): string | null {
  const currency = oneCurrency(rows);
  return oneCurrency(rows.map((row) => ({ currency: row.receivedCurrency ?? row.currency }))) === currency ? currency : null;
}

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
