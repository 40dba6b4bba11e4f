'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { HiddenByFilters } from '#/components/list/hidden-by-filters.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { writeSort } from '#/components/list/list-parsers.ts';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { ListState } from '#/components/list/use-list.ts';
import type { Pages } from '#/components/list/use-pages.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { isFiltered, type MoneyFilters, onlySearch } from '../filters.ts';
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
  /** Clears all filters but the search. */
  readonly onShowFound: () => void;
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
  return (
    <NounTable
      label={label}
      name={tools.definition.page}
      list={list}
      tools={tools}
      columns={useColumns(props)}
      rowKey={rowKey}
      noun={noun}
      total={total}
      empty={empty}
    />
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
      card: 'main',
      className: 'card:whitespace-normal card:self-center card:overflow-hidden',
      link: ({ paymentId, merchantOrderId: text }) => ({ href: hrefIn(scope, `/payments/${paymentId}`), text }),
    },
    {
      id: 'gateway',
      header: 'Gateway',
      priority: 4,
      cell: (row) => gatewayTitle(row.gateway),
    },
    {
      id: 'note',
      header: note.header,
      look: 'quiet',
      card: 'line',
      className: 'card:td:empty:hidden card:overflow-visible card:whitespace-normal card:h-auto card:leading-[1.4]',
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
      look: 'quiet',
      priority: 6,
      cell: merchantCell,
    },
    {
      id: 'created',
      header: 'Created',
      sortable: 'descending',
      priority: 3,
      moment: (row) => row.createdAt,
    },
    {
      id: 'actions',
      header: 'Actions',
      fixed: true,
      unseen: true,
      card: 'third',
      className: 'text-end card:overflow-visible card:whitespace-normal card:h-auto card:min-h-7',
      cell: (row) => <span className={classes.buttons}>{actions(row)}</span>,
    },
  );
  return columns;
}

/** Classes of columns that the lists bring themselves. */
export const moneyColumns = {
  state: 'card:overflow-visible card:whitespace-normal card:area-second card:self-center card:text-start',
  amount: 'font-medium tabular-nums text-end card:overflow-visible card:whitespace-normal card:area-aside card:text-base',
  expected: classes.expected,
  trouble: 'text-bad-ink',
} as const;

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

interface NothingMatchesProps extends Omit<MoneyListProps, 'tools'> {
  /** The list of filters. */
  readonly useRows: (filters: MoneyFilters, sort: string) => Pages<unknown>;
  /** One of the rows, and several. */
  readonly noun: readonly [string, string];
}

/** In place of a list that its filters leave empty: what the search alone finds, or the way back. */
export function NothingMatches(props: NothingMatchesProps) {
  const { filters, noun, onClear } = props;
  if (filters.q.trim() !== '' && isFiltered({ ...filters, q: '' })) return <Hidden {...props} />;
  return <NothingYet title={`No ${noun[1]} match these filters`} onClear={onClear} />;
}

function Hidden({ filters, useRows, noun, onClear, onShowFound }: NothingMatchesProps) {
  const found = useRows(onlySearch(filters), '');
  return <HiddenByFilters text={filters.q} found={found} noun={noun} onShow={onShowFound} onClear={onClear} />;
}
