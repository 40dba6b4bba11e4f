'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PAYMENT_ORDERS } from '#/app/(admin)/payments/filters.ts';
import { Badge, StatusBadge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { MiddleCut } from '#/components/copyable/middle-cut.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { RowLink } from '#/components/data-table/row-link.tsx';
import type { TableColumn } from '#/components/data-table/use-table-columns.ts';
import { type ListCount, ListEnd } from '#/components/list/list-end.tsx';
import type { ListSort } from '#/components/list/list-parsers.ts';
import type { ListDefinition } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { FAILURE_LABELS } from '#/copy/failure-reasons.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { MATCH_LABELS } from '#/copy/search-matches.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { PaymentRow } from './use-payments.ts';

/** The rows loaded so far, and how further ones are requested. */
interface PaymentsTableProps {
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

/** A column of the list, and the matching columns of an export. */
interface PaymentColumn extends TableColumn {
  readonly inFile: readonly string[];
}

/** Every column the list can have, in their default order. `order` links to the payment. */
export const PAYMENT_COLUMNS: readonly PaymentColumn[] = [
  { id: 'status', header: 'Status', inFile: ['status', 'display_status', 'review'] },
  { id: 'amount', header: 'Amount', inFile: ['amount', 'currency'] },
  { id: 'order', header: 'Order', fixed: true, inFile: ['merchant_order_id'] },
  { id: 'gateway', header: 'Gateway', inFile: ['checkout_gateway'] },
  { id: 'reason', header: 'Reason', inFile: ['failure_reason'] },
  { id: 'method', header: 'Method', inFile: ['method'] },
  { id: 'customer', header: 'Customer', inFile: ['customer_email'] },
  { id: 'merchant', header: 'Merchant', inFile: ['merchant'] },
  { id: 'customerId', header: 'Customer ID', optional: true, inFile: ['customer_id'] },
  { id: 'paymentId', header: 'Payment ID', optional: true, inFile: ['payment_id'] },
  { id: 'reference', header: 'Gateway reference', optional: true, inFile: ['gateway_reference'] },
  { id: 'rule', header: 'Rule', optional: true, inFile: ['rule_id'] },
  { id: 'refunded', header: 'Refunded', optional: true, inFile: ['refunded_amount'] },
  { id: 'created', header: 'Created', inFile: ['created_at'] },
];

const OF_ONE_MERCHANT = PAYMENT_COLUMNS.map((column) => (column.id === 'merchant' ? { ...column, optional: true } : column));

/** The columns of the list: it names the merchant by default where there may be several. */
export function paymentColumns({ merchantId }: Pick<Scope, 'merchantId'>): readonly PaymentColumn[] {
  return merchantId === null ? PAYMENT_COLUMNS : OF_ONE_MERCHANT;
}

/** The payments as a list. */
export const PAYMENT_LIST: ListDefinition = { page: 'payments', orders: PAYMENT_ORDERS, notSaved: ['payment', 'do'] };

/** The names of the export columns that match the list's columns, in the same order. */
export function columnsInFile(shown: readonly PaymentColumn[]): string[] {
  return shown.flatMap(({ inFile }) => inFile);
}
