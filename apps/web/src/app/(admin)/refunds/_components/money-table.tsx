'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { type ReactNode, useMemo } from 'react';
import { ListFailed, PaymentsSkeleton } from '#/app/(admin)/payments/_components/list/payments-skeleton.tsx';
import { Button } from '#/components/button/button.tsx';
import { MiddleCut } from '#/components/copyable/middle-cut.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { type ListCount, ListEnd } from '#/components/list/list-end.tsx';
import { writeSort } from '#/components/list/list-parsers.ts';
import type { ListState } from '#/components/list/use-list.ts';
import type { Pages } from '#/components/list/use-pages.ts';
import { Moment } from '#/components/time/moment.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { MoneyFilters } from '../filters.ts';
import classes from './money-table.module.css';

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
interface MoneyTableProps<Row extends MoneyRow> {
  readonly label: string;
  readonly list: Pages<Row>;
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
  /** Shown while the list is empty. */
  readonly empty: ReactNode;
}

/** The table of duplicate charges, refunds and reviews: the same columns in the same order. */
export function MoneyTable<Row extends MoneyRow>(props: MoneyTableProps<Row>) {
  const { label, list, rowKey, tools, total, noun, empty } = props;
  const columns = useColumns(props);
  if (list.state === 'loading') return <PaymentsSkeleton />;
  if (list.state === 'failed') return <ListFailed message={list.error?.message ?? ''} onRetry={list.refetch} />;
  if (list.rows.length === 0) return empty;
  return (
    <>
      <DataTable
        label={label}
        name={tools.definition.page}
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

function useColumns<Row extends MoneyRow>({ before, note, actions }: MoneyTableProps<Row>): DataColumn<Row>[] {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const names = useMemo(() => new Map(merchants?.map(({ merchantId, name }) => [merchantId, name])), [merchants]);
  const columns: DataColumn<Row>[] = [
    ...before,
    {
      id: 'order',
      header: 'Order',
      fixed: true,
      className: 'card:whitespace-normal card:area-main card:self-center card:overflow-hidden card:text-base',
      cell: (row) => (
        <Link
          href={hrefIn(scope, `/payments/${row.paymentId}`)}
          prefetch={false}
          className="row-link font-medium"
          aria-label={row.merchantOrderId}
        >
          <MiddleCut text={row.merchantOrderId} />
        </Link>
      ),
    },
    {
      id: 'gateway',
      header: 'Gateway',
      className: '@max-[860px]/room:hidden',
      cell: (row) => gatewayTitle(row.gateway),
    },
    {
      id: 'note',
      header: note.header,
      className:
        'td:text-ink-quiet card:td:empty:hidden card:overflow-visible card:whitespace-normal card:col-span-full card:h-auto card:leading-[1.4]',
      fills: true,
      cell: note.cell,
    },
  ];
  const merchantCell = (row: Row) => names.get(row.merchantId) ?? '–';
  columns.push(
    {
      id: 'merchant',
      header: 'Merchant',
      optional: scope.merchantId !== null,
      className: 'td:text-ink-quiet @max-[1130px]/room:hidden',
      cell: merchantCell,
    },
    {
      id: 'created',
      header: 'Created',
      sortable: 'descending',
      className: 'td:text-ink-quiet tabular-nums @max-[720px]/room:hidden',
      cell: (row) => <Moment value={row.createdAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      fixed: true,
      unseen: true,
      className: 'text-end card:overflow-visible card:whitespace-normal card:area-third card:h-auto card:min-h-7',
      cell: (row) => <span className={classes.buttons}>{actions(row)}</span>,
    },
  );
  return columns;
}

/** An amount with its currency, unless the column's header names it. */
export function Money({ currency, of, children }: { currency: string; of: string | null; children: string }) {
  return (
    <>
      <span className={of === null ? undefined : 'hidden card:inline'}>{currency} </span>
      {children}
    </>
  );
}

/** Classes of columns that the lists bring themselves. */
export const moneyColumns = {
  state: 'card:overflow-visible card:whitespace-normal card:area-second card:self-center card:text-start',
  amount: 'font-medium tabular-nums text-end card:overflow-visible card:whitespace-normal card:area-aside card:text-base',
  expected: classes.expected,
  trouble: 'text-bad-ink',
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

/** An empty list: no row matches the filters, or there is none. */
export function NothingYet({ title, onClear, children }: { title: string; onClear?: () => void; children?: ReactNode }) {
  return (
    <EmptyState title={title} action={onClear !== undefined && <Button onClick={onClear}>Clear the filters</Button>}>
      {children}
    </EmptyState>
  );
}
