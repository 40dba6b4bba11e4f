'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { PAYMENT_ORDERS, type PaymentFilters, paymentsQuery, toPaymentFilter } from '#/app/(admin)/payments/filters.ts';
import { Badge, StatusBadge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { MiddleCut } from '#/components/copyable/middle-cut.tsx';
import { type DataColumn, RowLink } from '#/components/data-table/columns.tsx';
import type { TableColumn } from '#/components/data-table/use-table-columns.ts';
import type { ListCount } from '#/components/list/list-end.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { FAILURE_LABELS } from '#/copy/failure-reasons.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { MATCH_LABELS } from '#/copy/search-matches.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const COUNTS_REFRESH_MS = 30_000;

/** The payments of the scope and these filters, page after page in this order, refreshed while the first pages are visible. */
export function usePayments(filters: PaymentFilters, sort: string) {
  const list = useNounList(paymentsQuery(useTRPC(), useScope(), filters, sort));
  // True if the search matches more payments than are listed.
  return { ...list, isSearchCut: list.first?.isSearchCut ?? false };
}

/** The numbers of payments that these filters have in each status, whatever statuses they name; undefined while not known. */
export function usePaymentCounts(filters: PaymentFilters): PaymentCounts | undefined {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(
    trpc.payments.counts.queryOptions(toPaymentFilter(scope, { ...filters, status: [] }), {
      placeholderData: keepPreviousData,
      refetchInterval: COUNTS_REFRESH_MS,
    }),
  );
  return data ?? undefined;
}

type PaymentCounts = NonNullable<RouterOutputs['payments']['counts']>;

/** A line of the list of payments. */
export type PaymentRow = ReturnType<typeof usePayments>['rows'][number];

/** The payments as their page has them. */
interface PaymentsTableProps {
  readonly list: ReturnType<typeof usePayments>;
  readonly tools: ListState;
  /** Undefined while it is not known. */
  readonly total: ListCount | undefined;
  readonly openId: string | null;
  readonly onOpen: (paymentId: string) => void;
  /** Shown while there is none. */
  readonly empty: ReactNode;
}

/** The list itself. */
export function PaymentsTable({ list, tools, total, openId, onOpen, empty }: PaymentsTableProps) {
  const columns = useColumns(openId, onOpen);
  const note = list.isSearchCut
    ? 'The newest matches of the search are listed. Enter more of the text to find others.'
    : undefined;
  return (
    <NounTable
      label="Payments"
      name="payments"
      list={list}
      tools={tools}
      columns={columns}
      rowKey={(row) => row.paymentId}
      openKey={openId}
      noun={['payment', 'payments']}
      total={total}
      note={note}
      empty={empty}
    />
  );
}

function useColumns(openId: string | null, onOpen: (paymentId: string) => void): DataColumn<PaymentRow>[] {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const names = useMemo(() => new Map(merchants?.map(({ merchantId, name }) => [merchantId, name])), [merchants]);
  return useMemo(() => {
    const columns: DataColumn<PaymentRow>[] = [
      {
        id: 'status',
        header: 'Status',
        card: 'second',
        cell: statusCell,
      },
      {
        id: 'amount',
        header: 'Amount',
        sortable: 'descending',
        card: 'aside',
        className: 'font-medium card:text-base',
        money: (row) => row,
      },
      {
        id: 'order',
        header: 'Order',
        card: 'main',
        className: 'card:self-center card:overflow-hidden',
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
        priority: 2,
        cell: gatewayCell,
      },
      {
        id: 'reason',
        header: 'Reason',
        look: 'quiet',
        priority: 3,
        cell: reasonCell,
      },
      {
        id: 'method',
        header: 'Method',
        priority: 4,
        cell: (row) => methodTitle(row.paymentMethod),
      },
      {
        id: 'customer',
        header: 'Customer',
        look: 'quiet',
        priority: scope.merchantId === null ? 6 : 5,
        cell: (row) => row.customerEmail,
      },
    ];
    const merchant = (row: PaymentRow) => names.get(row.merchantId) ?? '–';
    columns.push(
      {
        id: 'merchant',
        header: 'Merchant',
        look: 'quiet',
        priority: 3,
        cell: merchant,
      },
      { id: 'customerId', header: 'Customer ID', priority: 4, cell: customerIdCell },
      { id: 'paymentId', header: 'Payment ID', priority: 4, cell: paymentCell },
      {
        id: 'reference',
        header: 'Gateway reference',
        priority: 4,
        cell: referenceCell,
      },
      {
        id: 'rule',
        header: 'Rule',
        priority: 4,
        cell: ({ ruleId }) => (ruleId === null ? 'Default order' : <Id text={ruleId} label="rule" />),
      },
      {
        id: 'refunded',
        header: 'Refunded',
        priority: 4,
        className: 'text-right',
        money: ({ currency, refundedAmount: amount }) => (amount === 0n ? null : { currency, amount }),
      },
      {
        id: 'created',
        header: 'Created',
        sortable: 'descending',
        card: 'third',
        className: 'card:self-center card:text-xs',
        moment: (row) => row.createdAt,
      },
    );
    return paymentColumns(scope).flatMap(({ id, optional, fixed }) => {
      const column = columns.find((one) => one.id === id);
      return column === undefined ? [] : [{ ...column, optional, fixed }];
    });
  }, [scope, names, openId, onOpen]);
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

export const PAYMENT_LIST: ListDefinition = { page: 'payments', orders: PAYMENT_ORDERS, notSaved: ['payment', 'do'] };

/** The names of the export columns that match the list's columns, in the same order. */
export function columnsInFile(shown: readonly PaymentColumn[]): string[] {
  return shown.flatMap(({ inFile }) => inFile);
}
