'use client';

import { IconUser } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { describeReason, describeRequester, REFUND_LABELS } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { isFiltered } from '../filters.ts';
import { type MoneyListProps, MoneyTable, moneyColumns, NothingMatches, NothingYet, sortOf } from './money-table.tsx';
import { type RefundRow, useRefunds, useSyncRefund } from './use-refunds.ts';

const DismissRefundDialog = dynamic(() => import('./failed-refund-dialogs.tsx').then((module) => module.DismissRefundDialog));
const RecordRefundDialog = dynamic(() => import('./failed-refund-dialogs.tsx').then((module) => module.RecordRefundDialog));
const RefundDialog = dynamic(() =>
  import('#/app/(admin)/payments/_components/actions/refund-dialog.tsx').then((module) => module.RefundDialog),
);

/** The refunds, with the actions on those that are not final. */
export function RefundList({ filters, tools, total, onClear, onShowFound }: MoneyListProps & { total: ListCount | undefined }) {
  const list = useRefunds(filters, sortOf(tools));
  const can = useCan();
  const sync = useSyncRefund();
  const [again, setAgain] = useState<string | null>(null);
  const [dismissing, setDismissing] = useState<RefundRow | null>(null);
  const [recording, setRecording] = useState<RefundRow | null>(null);
  return (
    <>
      <MoneyTable
        label="Refunds"
        list={list}
        rowKey={(row) => row.refundId}
        tools={tools}
        noun={['refund', 'refunds']}
        total={total}
        before={COLUMNS}
        note={{ header: 'Details', cell: noteCell }}
        actions={(row) => (
          <>
            <CustomerLink row={row} />
            {can('payment:refund', row.merchantId) && <Action row={row} sync={sync} onAgain={setAgain} />}
            {row.unresolved && can('payment:review', row.merchantId) && (
              <Button onClick={() => setDismissing(row)} aria-label={`Dismiss… the failed refund of ${row.merchantOrderId}`}>
                Dismiss…
              </Button>
            )}
            {row.state === 'NEEDS_ATTENTION' && can('payment:review', row.merchantId) && (
              <Button onClick={() => setRecording(row)} aria-label={`Record… the result of the refund of ${row.merchantOrderId}`}>
                Record…
              </Button>
            )}
          </>
        )}
        empty={
          isFiltered(filters) ? (
            <NothingMatches
              filters={filters}
              onClear={onClear}
              onShowFound={onShowFound}
              useRows={useRefunds}
              noun={['refund', 'refunds']}
            />
          ) : (
            <NothingYet title="No refunds yet">
              Open a succeeded payment to refund it in full or in part. Merchants can request refunds with{' '}
              <code>POST /v1/payments/…/refunds</code>.
            </NothingYet>
          )
        }
      />
      {again !== null && <RefundDialog paymentId={again} onClose={() => setAgain(null)} />}
      {dismissing !== null && <DismissRefundDialog refund={dismissing} onClose={() => setDismissing(null)} />}
      {recording !== null && <RecordRefundDialog refund={recording} onClose={() => setRecording(null)} />}
    </>
  );
}

function CustomerLink({ row: { paymentId, merchantOrderId } }: { row: RefundRow }) {
  const scope = useScope();
  return (
    <Link
      href={hrefIn(scope, `/customers/${paymentId}`)}
      prefetch={false}
      className="inline-flex items-center justify-center size-7 text-ink-quiet hover:text-ink"
      aria-label={`Customer of ${merchantOrderId}`}
      title="View customer"
    >
      <IconUser size={16} stroke={1.7} aria-hidden="true" />
    </Link>
  );
}

/** One that is not final can be checked at the gateway now; a failed one can be requested again. */
function Action({
  row,
  sync,
  onAgain,
}: {
  row: RefundRow;
  sync: ReturnType<typeof useSyncRefund>;
  onAgain: (paymentId: string) => void;
}) {
  const { refundId, merchantOrderId } = row;
  if (row.unresolved) {
    return (
      <Button onClick={() => onAgain(row.paymentId)} aria-label={`Try again… to refund ${merchantOrderId}`}>
        Try again…
      </Button>
    );
  }
  if (row.nextCheckAt === null) return null;
  return (
    <Button
      loading={sync.isPending && sync.variables.refundId === refundId}
      onClick={() => sync.mutate({ refundId })}
      aria-label={`Check now: refund of ${merchantOrderId}`}
    >
      Check now
    </Button>
  );
}

const COLUMNS: readonly DataColumn<RefundRow>[] = [
  {
    id: 'state',
    header: 'Status',
    className: moneyColumns.state,
    badge: ({ state }) => REFUND_LABELS[state],
  },
  {
    id: 'amount',
    header: 'Amount',
    sortable: 'descending',
    className: moneyColumns.amount,
    money: (row) => ({ currency: row.currency, amount: row.amount, title: partOf(row) }),
  },
];

function partOf({ currency, amount, paymentAmount, duplicate, mismatched }: RefundRow): string | undefined {
  return !duplicate && !mismatched && amount < paymentAmount ? `Of ${formatMoney(currency, paymentAmount)}` : undefined;
}

function noteCell({ failureMessage, note, reason, reasonCode, reasonTitle, duplicate, mismatched, requestedBy }: RefundRow) {
  if (note !== null) return <span title={failureMessage ?? undefined}>{`Dismissed: ${note}`}</span>;
  if (failureMessage !== null) {
    return (
      <span className={moneyColumns.trouble} title={failureMessage}>
        {failureMessage}
      </span>
    );
  }
  const what = duplicate
    ? 'Duplicate payment'
    : mismatched
      ? 'Amount mismatch'
      : (describeReason({ reason, reasonCode, reasonTitle }) ?? 'No reason given');
  return <span title={`${what}. Requested by: ${describeRequester(requestedBy)}.`}>{what}</span>;
}
