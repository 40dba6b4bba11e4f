'use client';

import { IconUser } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useCallback, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { describeReason, describeRequester, REFUND_LABELS } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type MoneyListProps, MoneyTable, moneyColumns } from './money-table.tsx';
import { type RefundRow, useRefunds, useSyncRefund } from './use-refunds.ts';

const DismissRefundDialog = dynamic(() => import('./failed-refund-dialogs.tsx').then((module) => module.DismissRefundDialog));
const RecordRefundDialog = dynamic(() => import('./failed-refund-dialogs.tsx').then((module) => module.RecordRefundDialog));
const RefundDialog = dynamic(() =>
  import('#/app/(admin)/payments/_components/actions/refund-dialog.tsx').then((module) => module.RefundDialog),
);

/** Something that is asked about a refund. */
interface Asked {
  readonly about: 'again' | 'dismiss' | 'record';
  readonly row: RefundRow;
}

/** The refunds, with the actions on those that are not final. */
export function RefundList(props: MoneyListProps & { total: ListCount | undefined }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const actions = useCallback((row: RefundRow) => <Actions row={row} onAsk={(about) => setAsked({ about, row })} />, []);
  return (
    <>
      <MoneyTable
        label="Refunds"
        useRows={useRefunds}
        rowKey={keyOf}
        noun={NOUN}
        before={COLUMNS}
        note={NOTE}
        actions={actions}
        empty={EMPTY}
        {...props}
      />
      {asked?.about === 'again' && <RefundDialog paymentId={asked.row.paymentId} onClose={close} />}
      {asked?.about === 'dismiss' && <DismissRefundDialog refund={asked.row} onClose={close} />}
      {asked?.about === 'record' && <RecordRefundDialog refund={asked.row} onClose={close} />}
    </>
  );
}

const NOUN = ['refund', 'refunds'] as const;
const EMPTY = {
  title: 'No refunds yet',
  text: (
    <>
      Open a succeeded payment to refund it in full or in part. Merchants can request refunds with{' '}
      <code>POST /v1/payments/…/refunds</code>.
    </>
  ),
};
const keyOf = ({ refundId }: RefundRow) => refundId;

/** The actions that a refund offers: one that is not final is checked at the gateway, a failed one requested again or dismissed. */
function Actions({ row, onAsk }: { row: RefundRow; onAsk: (about: Asked['about']) => void }) {
  const can = useCan();
  const sync = useSyncRefund();
  const { merchantId, merchantOrderId, refundId, unresolved } = row;
  const mayRefund = can('payment:refund', merchantId);
  const mayReview = can('payment:review', merchantId);
  return (
    <>
      <CustomerLink row={row} />
      {mayRefund && unresolved && (
        <Button onClick={() => onAsk('again')} aria-label={`Try again… to refund ${merchantOrderId}`}>
          Try again…
        </Button>
      )}
      {mayRefund && !unresolved && row.nextCheckAt !== null && (
        <Button
          loading={sync.isPending}
          onClick={() => sync.mutate({ refundId })}
          aria-label={`Check now: refund of ${merchantOrderId}`}
        >
          Check now
        </Button>
      )}
      {mayReview && unresolved && (
        <Button onClick={() => onAsk('dismiss')} aria-label={`Dismiss… the failed refund of ${merchantOrderId}`}>
          Dismiss…
        </Button>
      )}
      {mayReview && row.state === 'NEEDS_ATTENTION' && (
        <Button onClick={() => onAsk('record')} aria-label={`Record… the result of the refund of ${merchantOrderId}`}>
          Record…
        </Button>
      )}
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

const NOTE = { header: 'Details', cell: noteCell };
