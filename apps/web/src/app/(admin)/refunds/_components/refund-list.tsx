'use client';

import { Badge } from '../../../../components/badge.tsx';
import { Button } from '../../../../components/button.tsx';
import type { DataColumn } from '../../../../components/data-table/data-table.tsx';
import { groupAmount } from '../../../../money/amounts.ts';
import { useMay } from '../../../../trpc/use-may.ts';
import { askedBy, REFUND_WORDS } from '../../../../words/refunds.ts';
import { isFiltered, type MoneyFilters } from '../filters.ts';
import { MoneyTable, moneyColumns } from './money-table.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { type RefundRow, useLook, useRefunds } from './use-money.ts';

/** The refunds. One that is not final can be asked about at once. */
export function RefundList({ filters, onClear }: { filters: MoneyFilters; onClear: () => void }) {
  const list = useRefunds(filters);
  const may = useMay();
  const look = useLook();
  return (
    <MoneyTable
      label="Refunds"
      list={list}
      rowKey={(row) => row.refundId}
      before={COLUMNS}
      note={{ header: 'What for', cell: noteCell }}
      actions={(row) =>
        row.nextCheckAt !== null &&
        may('payment:refund', row.merchantId) && (
          <Button
            busy={look.isPending && look.variables.refundId === row.refundId}
            onClick={() => look.mutate({ refundId: row.refundId })}
            aria-label={`Ask the gateway about the refund of ${row.merchantOrderId}`}
          >
            Ask now
          </Button>
        )
      }
      empty={
        isFiltered(filters) ? (
          <NothingYet title="No refund fits these filters" onClear={onClear} />
        ) : (
          <NothingYet title="No money has been given back yet">
            Open a payment that succeeded and refund it there, all of it or a part. Merchants ask for refunds themselves with{' '}
            <code>POST /v1/payments/…/refunds</code>.
          </NothingYet>
        )
      }
    />
  );
}

const COLUMNS: readonly DataColumn<RefundRow>[] = [
  { id: 'state', header: 'State', className: moneyColumns.state, cell: stateCell },
  { id: 'amount', header: 'Amount', className: moneyColumns.amount, cell: amountCell },
];

function stateCell({ state }: RefundRow) {
  const { word, tone, meaning } = REFUND_WORDS[state];
  return (
    <Badge tone={tone} warns={state === 'NEEDS_ATTENTION'} title={meaning}>
      {word}
    </Badge>
  );
}

function amountCell({ currency, amount, paymentAmount, duplicate, mismatched }: RefundRow) {
  const part = !duplicate && !mismatched && amount < paymentAmount;
  const title = part ? `Of ${currency} ${groupAmount(paymentAmount)}` : undefined;
  return (
    <span title={title}>
      {currency} {groupAmount(amount)}
    </span>
  );
}

function noteCell({ failureMessage, reason, duplicate, mismatched, requestedBy }: RefundRow) {
  if (failureMessage !== null) {
    return (
      <span className={moneyColumns.trouble} title={failureMessage}>
        {failureMessage}
      </span>
    );
  }
  const kind = duplicate ? 'Charged twice' : mismatched ? 'Did not match its order' : (reason ?? 'No reason given');
  return <span title={reason ?? undefined}>{`${kind} · ${askedBy(requestedBy)}`}</span>;
}
