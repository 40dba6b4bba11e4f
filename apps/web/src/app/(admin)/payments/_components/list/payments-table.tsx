'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Badge, StatusBadge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { MiddleCut } from '#/components/copyable/middle-cut.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { RowLink } from '#/components/data-table/row-link.tsx';
import type { ListCount } from '#/components/list/list-count.ts';
import { ListEnd } from '#/components/list/list-end.tsx';
import type { ListSort } from '#/components/list/list-parsers.ts';
import { Moment } from '#/components/time/moment.tsx';
import { FAILURE_LABELS } from '#/copy/failure-reasons.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { MATCH_LABELS } from '#/copy/search-matches.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { paymentColumns } from './columns.ts';
import type { PaymentRow } from './use-payments.ts';

/** The rows loaded so far, and how further ones are requested. */
export interface PaymentsTableProps {
  readonly rows: readonly PaymentRow[];
  /** True if the search matches more payments than these. */
  readonly isSearchCut: boolean;
  /** Undefined while it is not known. */
  readonly total: ListCount | undefined;
  readonly sort: ListSort | undefined;
  readonly onSort: (sort: ListSort) => void;
  readonly openId: string | null;
  readonly onOpen: (paymentId: string) => void;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly onMore: () => void;
}

/** The list itself. The next page is fetched as its end comes near; the button covers readers who reach the end first. */
export function PaymentsTable(props: PaymentsTableProps) {
  const { rows, isSearchCut, total, sort, onSort, openId, onOpen, hasMore, loadingMore, onMore } = props;
  const columns = useColumns(rows, openId, onOpen);
  return (
    <>
      <DataTable
        label="Payments"
        name="payments"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.paymentId}
        openKey={openId}
        onNearEnd={onMore}
        sort={sort}
        onSort={onSort}
      />
      <ListEnd
        loaded={rows.length}
        total={total}
        noun={['payment', 'payments']}
        note={isSearchCut ? 'The newest matches of the search are listed. Enter more of the text to find others.' : undefined}
        hasMore={hasMore}
        loadingMore={loadingMore}
        onMore={onMore}
      />
    </>
  );
}

function useColumns(
  rows: readonly PaymentRow[],
  openId: string | null,
  onOpen: (paymentId: string) => void,
): DataColumn<PaymentRow>[] {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const names = useMemo(() => new Map(merchants?.map(({ merchantId, name }) => [merchantId, name])), [merchants]);
  const currency = rows[0]?.currency ?? 'NGN';
  const oneCurrency = rows.every((row) => row.currency === currency);
  return useMemo(() => {
    const columns: Omit<DataColumn<PaymentRow>, 'optional' | 'fixed'>[] = [
      {
        id: 'status',
        header: 'Status',
        className: 'card:area-second',
        cell: statusCell,
      },
      {
        id: 'amount',
        header: oneCurrency ? `Amount, ${currency}` : 'Amount',
        sortable: 'descending',
        className: 'font-medium tabular-nums text-end card:area-aside card:text-base',
        cell: (row) => (
          <>
            <span className={oneCurrency ? 'hidden card:inline' : undefined}>{row.currency} </span>
            {formatDecimal(row.currency, row.amount)}
          </>
        ),
      },
      {
        id: 'order',
        header: 'Order',
        className: 'card:area-main card:self-center card:overflow-hidden card:text-base',
        cell: (row) => (
          <>
            <RowLink
              href={hrefIn(scope, `/payments/${row.paymentId}`)}
              isOpen={row.paymentId === openId}
              onOpen={() => onOpen(row.paymentId)}
              data-payment={row.paymentId}
              aria-label={row.merchantOrderId}
            >
              <MiddleCut text={row.merchantOrderId} />
            </RowLink>
            {row.matched !== null && row.matched !== 'order_id' && (
              <span className="ml-2 py-px px-1.5 rounded-sm bg-accent-soft text-accent-ink text-2xs">
                {MATCH_LABELS[row.matched]}
              </span>
            )}
          </>
        ),
      },
      {
        id: 'gateway',
        header: 'Gateway',
        className: '@max-[600px]/room:hidden',
        cell: gatewayCell,
      },
      {
        id: 'reason',
        header: 'Reason',
        className: 'td:text-ink-quiet @max-[720px]/room:hidden',
        cell: reasonCell,
      },
      {
        id: 'method',
        header: 'Method',
        className: '@max-[860px]/room:hidden',
        cell: (row) => methodTitle(row.paymentMethod),
      },
      {
        id: 'customer',
        header: 'Customer',
        className: `${scope.merchantId === null ? '@max-[1160px]/room:hidden' : '@max-[1000px]/room:hidden'} td:text-ink-quiet`,
        cell: (row) => row.customerEmail,
      },
    ];
    const merchant = (row: PaymentRow) => names.get(row.merchantId) ?? '–';
    columns.push(
      {
        id: 'merchant',
        header: 'Merchant',
        className: '@max-[720px]/room:hidden td:text-ink-quiet',
        cell: merchant,
      },
      { id: 'customerId', header: 'Customer ID', className: '@max-[860px]/room:hidden', cell: customerIdCell },
      { id: 'paymentId', header: 'Payment ID', className: '@max-[860px]/room:hidden', cell: paymentCell },
      {
        id: 'reference',
        header: 'Gateway reference',
        className: '@max-[860px]/room:hidden',
        cell: referenceCell,
      },
      {
        id: 'rule',
        header: 'Rule',
        className: '@max-[860px]/room:hidden',
        cell: ({ ruleId }) => (ruleId === null ? 'Default order' : <Id text={ruleId} label="rule" />),
      },
      {
        id: 'refunded',
        header: 'Refunded',
        className: 'text-right @max-[860px]/room:hidden',
        cell: (row) => (row.refundedAmount === 0n ? '–' : formatDecimal(row.currency, row.refundedAmount)),
      },
      {
        id: 'created',
        header: 'Created',
        sortable: 'descending',
        className: 'tabular-nums td:text-ink-quiet card:area-third card:text-end card:self-center card:text-xs',
        cell: (row) => <Moment value={row.createdAt} />,
      },
    );
    return paymentColumns(scope).flatMap(({ id, optional, fixed }) => {
      const column = columns.find((one) => one.id === id);
      return column === undefined ? [] : [{ ...column, optional, fixed }];
    });
  }, [currency, oneCurrency, scope, names, openId, onOpen]);
}

/** Why it failed; for other payments there is nothing to say, and an expired one has said it. */
function reasonCell({ displayStatus, failureReason }: PaymentRow) {
  if (displayStatus !== 'FAILED' || failureReason === null) return null;
  const { word, sentence } = FAILURE_LABELS[failureReason];
  return <span title={sentence}>{word}</span>;
}

function referenceCell({ gatewayReference }: PaymentRow) {
  return gatewayReference === null ? '–' : <Id text={gatewayReference} label="reference" />;
}

function paymentCell({ paymentId }: PaymentRow) {
  return <Id text={paymentId} label="id of the payment" />;
}

function customerIdCell({ customerId }: PaymentRow) {
  return customerId === null ? '–' : <Id text={customerId} label="customer's id" />;
}

/** Copies itself, though the rest of its row opens the payment. */
function Id({ text, label }: { text: string; label: string }) {
  return (
    <span className="relative z-1 text-xs">
      <Copyable text={text} label={label} />
    </span>
  );
}

function statusCell(row: PaymentRow) {
  if (row.review === 'OPEN') {
    return (
      <Badge tone="bad" warns title="The amount received needs a review">
        Review
      </Badge>
    );
  }
  return <StatusBadge status={row.displayStatus} />;
}

function gatewayCell(row: PaymentRow) {
  return (
    <>
      {gatewayTitle(row.gateway)}
      {row.attemptCount > 1 && (
        <span className="ml-2 text-wait-ink text-xs" title="An earlier gateway did not open a checkout">
          attempt {row.attemptCount}
        </span>
      )}
    </>
  );
}
