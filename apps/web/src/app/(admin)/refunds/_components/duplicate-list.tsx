'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/data-table.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { CHARGE_LABELS } from '#/copy/refunds.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { isFiltered } from '../filters.ts';
import { Money, type MoneyListProps, MoneyTable, moneyColumns, NothingYet, oneCurrency, sortOf } from './money-table.tsx';
import { type ChargeRow, useCharges } from './use-refunds.ts';

const DuplicateDialog = dynamic(() => import('./duplicate-dialog.tsx').then((module) => module.DuplicateDialog));

/** The duplicate charges, with their actions. */
export function DuplicateList({ filters, tools, total, onClear }: MoneyListProps & { total: ListCount | undefined }) {
  const list = useCharges(filters, sortOf(tools));
  const can = useCan();
  const [open, setOpen] = useState<{ readonly charge: ChargeRow; readonly by: 'refund' | 'dismiss' } | null>(null);
  return (
    <>
      <MoneyTable
        label="Duplicate payments"
        list={list}
        rowKey={(row) => row.duplicateChargeId}
        tools={tools}
        noun={['duplicate payment', 'duplicate payments']}
        total={total}
        before={columnsOf(oneCurrency(list.rows))}
        note={{ header: 'Details', cell: noteCell }}
        actions={(row) =>
          row.state === 'OPEN' && (
            <>
              {can('payment:refund', row.merchantId) && (
                <Button onClick={() => setOpen({ charge: row, by: 'refund' })}>Refund…</Button>
              )}
              {can('payment:review', row.merchantId) && (
                <Button onClick={() => setOpen({ charge: row, by: 'dismiss' })}>Dismiss…</Button>
              )}
            </>
          )
        }
        empty={
          isFiltered(filters) ? (
            <NothingYet title="No duplicate payments match these filters" onClear={onClear} />
          ) : (
            <NothingYet title="No duplicate payments">
              When a customer pays at two gateways, or twice at one, the second charge is listed here and its merchant notified.
              It is refunded automatically where the merchant has set so.
            </NothingYet>
          )
        }
      />
      {open !== null && <DuplicateDialog {...open} onClose={() => setOpen(null)} />}
    </>
  );
}

function columnsOf(currency: string | null): readonly DataColumn<ChargeRow>[] {
  return [
    { id: 'state', header: 'Status', className: moneyColumns.state, cell: stateCell },
    {
      id: 'amount',
      header: currency === null ? 'Amount' : `Amount, ${currency}`,
      className: moneyColumns.amount,
      cell: (row) => (
        <Money currency={row.currency} of={currency}>
          {formatDecimal(row.currency, row.amount)}
        </Money>
      ),
    },
  ];
}

function stateCell({ state }: ChargeRow) {
  const { word, tone, meaning } = CHARGE_LABELS[state];
  return (
    <Badge tone={tone} warns={state === 'OPEN'} title={meaning}>
      {word}
    </Badge>
  );
}

function noteCell({ state, failureMessage, note, transactionId, reference }: ChargeRow) {
  if (state === 'OPEN' && failureMessage !== null) {
    return <span className={moneyColumns.trouble} title={failureMessage}>{`Refund failed: ${failureMessage}`}</span>;
  }
  return <span title={note ?? `Under reference ${reference}`}>{note ?? `Transaction ${transactionId}`}</span>;
}
