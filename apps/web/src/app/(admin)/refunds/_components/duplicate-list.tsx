'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { CHARGE_LABELS } from '#/copy/refunds.ts';
import { useCan } from '#/trpc/use-can.ts';
import { isFiltered } from '../filters.ts';
import { type MoneyListProps, MoneyTable, moneyColumns, NothingMatches, NothingYet, sortOf } from './money-table.tsx';
import { type ChargeRow, useCharges } from './use-refunds.ts';

const DuplicateDialog = dynamic(() => import('./duplicate-dialog.tsx').then((module) => module.DuplicateDialog));

/** The duplicate charges, with their actions. */
export function DuplicateList({
  filters,
  tools,
  total,
  onClear,
  onShowFound,
}: MoneyListProps & { total: ListCount | undefined }) {
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
        before={COLUMNS}
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
            <NothingMatches
              filters={filters}
              onClear={onClear}
              onShowFound={onShowFound}
              useRows={useCharges}
              noun={['duplicate payment', 'duplicate payments']}
            />
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

const COLUMNS: readonly DataColumn<ChargeRow>[] = [
  {
    id: 'state',
    header: 'Status',
    className: moneyColumns.state,
    badge: ({ state }) => CHARGE_LABELS[state],
  },
  {
    id: 'amount',
    header: 'Amount',
    className: moneyColumns.amount,
    money: (row) => row,
  },
];

function noteCell({ state, failureMessage, note, transactionId, reference }: ChargeRow) {
  if (state === 'OPEN' && failureMessage !== null) {
    return <span className={moneyColumns.trouble} title={failureMessage}>{`Refund failed: ${failureMessage}`}</span>;
  }
  return <span title={note ?? `Under reference ${reference}`}>{note ?? `Transaction ${transactionId}`}</span>;
}
