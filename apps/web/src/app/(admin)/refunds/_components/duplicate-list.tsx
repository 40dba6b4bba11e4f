'use client';

import dynamic from 'next/dynamic';
import { useCallback, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { CHARGE_LABELS } from '#/copy/refunds.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type MoneyListProps, MoneyTable, moneyColumns } from './money-table.tsx';
import { type ChargeRow, useCharges } from './use-refunds.ts';

const DuplicateDialog = dynamic(() => import('./duplicate-dialog.tsx').then((module) => module.DuplicateDialog));

/** A decision about a duplicate charge. */
interface Asked {
  readonly charge: ChargeRow;
  readonly by: 'refund' | 'dismiss';
}

/** The duplicate charges, with their actions. */
export function DuplicateList(props: MoneyListProps & { total: ListCount | undefined }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const actions = useCallback((row: ChargeRow) => <Actions charge={row} onAsk={setAsked} />, []);
  return (
    <>
      <MoneyTable
        label="Duplicate payments"
        useRows={useCharges}
        rowKey={keyOf}
        noun={NOUN}
        before={COLUMNS}
        note={NOTE}
        actions={actions}
        empty={EMPTY}
        {...props}
      />
      {asked !== null && <DuplicateDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const NOUN = ['duplicate payment', 'duplicate payments'] as const;
const EMPTY = {
  title: 'No duplicate payments',
  text: 'When a customer pays at two gateways, or twice at one, the second charge is listed here and its merchant notified. It is refunded automatically where the merchant has set so.',
};
const keyOf = ({ duplicateChargeId }: ChargeRow) => duplicateChargeId;

function Actions({ charge, onAsk }: { charge: ChargeRow; onAsk: (asked: Asked) => void }) {
  const can = useCan();
  if (charge.state !== 'OPEN') return null;
  return (
    <>
      {can('payment:refund', charge.merchantId) && <Button onClick={() => onAsk({ charge, by: 'refund' })}>Refund…</Button>}
      {can('payment:review', charge.merchantId) && <Button onClick={() => onAsk({ charge, by: 'dismiss' })}>Dismiss…</Button>}
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

const NOTE = { header: 'Details', cell: noteCell };
