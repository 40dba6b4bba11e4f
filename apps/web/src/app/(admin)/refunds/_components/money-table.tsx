'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { type ReactNode, useMemo } from 'react';
import { ListFailed, PaymentsSkeleton } from '#/app/(admin)/payments/_components/list/payments-skeleton.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { pickColumns } from '#/components/list/list-columns.ts';
import type { ListCount } from '#/components/list/list-count.ts';
import { ListEnd } from '#/components/list/list-end.tsx';
import { writeSort } from '#/components/list/list-parsers.ts';
import type { ListState } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { MoneyFilters } from '../filters.ts';
import classes from './money-table.module.css';
import type { MoneyList } from './use-refunds.ts';

/** Fields that rows of all three lists have. */
interface MoneyRow {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly gateway: string;
  readonly createdAt: Date;
}

/** Which of a list's rows and columns are shown. */
export interface MoneyListProps {
  readonly filters: MoneyFilters;
  readonly tools: ListState;
  readonly onClear: () => void;
}

/** A list of money with the columns that differ between refunds, duplicate charges and reviews. */
export interface MoneyTableProps<Row extends MoneyRow> {
  readonly label: string;
  readonly list: MoneyList<Row>;
  readonly rowKey: (row: Row) => string;
  readonly tools: ListState;
  /** Undefined where it is not known. */
  readonly total?: ListCount | undefined;
  /** One of the rows, and several. */
  readonly noun: readonly [string, string];
  /** The columns before the order: a state, amounts. */
  readonly before: readonly DataColumn<Row>[];
  /** A note on the row. */
  readonly note: { readonly header: string; readonly cell: (row: Row) => ReactNode };
  readonly actions: (row: Row) => ReactNode;
  /** Two buttons are side by side there. */
  readonly wideActions?: boolean;
  /** Shown while the list is empty. */
  readonly empty: ReactNode;
}

/** The table of duplicate charges, refunds and reviews: the same columns in the same order. */
export function MoneyTable<Row extends MoneyRow>(props: MoneyTableProps<Row>) {
  const { label, list, rowKey, tools, total, noun, empty } = props;
  const columns = pickColumns(useColumns(props), tools.shown);
  if (list.state === 'loading') return <PaymentsSkeleton />;
  if (list.state === 'failed') return <ListFailed message={list.message} onRetry={list.refetch} />;
  if (list.rows.length === 0) return empty;
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={list.rows}
        rowKey={rowKey}
        onNearEnd={list.more}
        sort={tools.sort}
        onSort={tools.setSort}
      />
      <ListEnd
        loaded={list.rows.length}
        total={total}
        noun={noun}
        hasMore={list.hasMore}
        loadingMore={list.loadingMore}
        onMore={list.more}
      />
    </>
  );
}

function useColumns<Row extends MoneyRow>({
  before,
  note,
  actions,
  wideActions = false,
}: MoneyTableProps<Row>): DataColumn<Row>[] {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const names = useMemo(() => new Map(merchants?.map(({ merchantId, name }) => [merchantId, name])), [merchants]);
  const columns: DataColumn<Row>[] = [
    ...before,
    {
      id: 'order',
      header: 'Order',
      className: classes.order,
      cell: (row) => (
        <Link href={hrefIn(scope, `/payments/${row.paymentId}`)} prefetch={false} className={classes.link}>
          {row.merchantOrderId}
        </Link>
      ),
    },
    { id: 'gateway', header: 'Gateway', className: classes.gateway, cell: (row) => gatewayTitle(row.gateway) },
    { id: 'note', header: note.header, className: classes.note, cell: note.cell },
  ];
  const merchantCell = (row: Row) => names.get(row.merchantId) ?? '–';
  columns.push(
    { id: 'merchant', header: 'Merchant', className: classes.merchant, cell: merchantCell },
    {
      id: 'created',
      header: 'Created',
      sortable: 'descending',
      className: classes.created,
      cell: (row) => <Moment value={row.createdAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      unseen: true,
      className: wideActions ? classes.wide : classes.actions,
      cell: (row) => <span className={classes.buttons}>{actions(row)}</span>,
    },
  );
  return columns;
}

/** An amount with its currency, unless the column's header names it. */
export function Money({ currency, of, children }: { currency: string; of: string | null; children: string }) {
  return (
    <>
      <span className={of === null ? undefined : classes.unit}>{currency} </span>
      {children}
    </>
  );
}

/** Classes of columns that the lists bring themselves. */
export const moneyColumns = {
  state: classes.state,
  amount: classes.amount,
  expected: classes.expected,
  trouble: classes.error,
} as const;

/** The currency of all rows, or null when there are several: it is shown in the header, or before each amount. */
export function oneCurrency(rows: readonly { readonly currency: string | null }[]): string | null {
  const [first] = rows;
  return first !== undefined && rows.every(({ currency }) => currency === first.currency) ? first.currency : null;
}

/** The order of a list as the URL names it. */
export function sortOf({ sort, definition: { orders } }: ListState): string {
  return sort === undefined || orders === undefined ? '' : (writeSort(sort, orders) ?? '');
}
