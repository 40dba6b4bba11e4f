'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { writeSort } from '#/components/list/list-parsers.ts';
import { HiddenByFilters, NothingListed } from '#/components/list/nothing-listed.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { ListState } from '#/components/list/use-list.ts';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { isFiltered, type MoneyFilters, onlySearch } from '../filters.ts';

/** Fields that rows of all lists have. */
interface MoneyRow {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly gateway: string;
  readonly createdAt: Date;
}

/** The rows and columns of a list that are shown. */
export interface MoneyListProps {
  readonly filters: MoneyFilters;
  readonly tools: ListState;
  readonly onClear: () => void;
  /** Clears all filters but the search. */
  readonly onShowFound: () => void;
}

/** A list of money with the columns that differ between refunds, approvals, duplicate charges and reviews. */
interface MoneyTableProps<Row extends MoneyRow> extends MoneyListProps {
  readonly label: string;
  /** The rows of these filters, in this order. */
  readonly useRows: (filters: MoneyFilters, sort: string) => Pages<Row>;
  readonly rowKey: (row: Row) => string;
  /** Undefined where it is not known. */
  readonly total?: ListCount | undefined;
  /** One of the rows, and several. */
  readonly noun: readonly [string, string];
  /** The columns before the order: a state, amounts. */
  readonly before: readonly DataColumn<Row>[];
  /** A note on the row. */
  readonly note: { readonly header: string; readonly cell: (row: Row) => ReactNode };
  /** The buttons of a row. The same function as long as they are the same: with another one every row is drawn again. */
  readonly actions: (row: Row) => ReactNode;
  /** Shown while there is no row at all: a title, and what the list will hold. */
  readonly empty: { readonly title: string; readonly text: ReactNode };
}

/** The table of refunds, approvals, duplicate charges and reviews: the same columns in the same order. */
export function MoneyTable<Row extends MoneyRow>(props: MoneyTableProps<Row>) {
  const { label, filters, useRows, rowKey, tools, total, noun } = props;
  return (
    <NounTable
      label={label}
      name={tools.definition.page}
      list={useRows(filters, sortOf(tools))}
      tools={tools}
      columns={useColumns(props)}
      rowKey={rowKey}
      noun={noun}
      total={total}
      empty={<Nothing {...props} />}
    />
  );
}

/** In place of a list without rows: what the list is for, or what the search alone finds, or the way back. */
function Nothing<Row extends MoneyRow>({ filters, useRows, noun, empty, onClear, onShowFound }: MoneyTableProps<Row>) {
  if (filters.q.trim() !== '' && isFiltered({ ...filters, q: '' })) {
    const alone = onlySearch(filters);
    const ways = { onShow: onShowFound, onClear };
    return <HiddenByFilters text={filters.q} useRows={useRows} alone={alone} noun={noun} {...ways} />;
  }
  return (
    <NothingListed nouns={noun[1]} onClear={isFiltered(filters) ? onClear : null} title={empty.title}>
      {empty.text}
    </NothingListed>
  );
}

function useColumns<Row extends MoneyRow>({ before, note, actions }: MoneyTableProps<Row>): readonly DataColumn<Row>[] {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  return useMemo((): readonly DataColumn<Row>[] => {
    const names = new Map(merchants?.map(({ merchantId, name }) => [merchantId, name]));
    return [
      ...before,
      {
        id: 'order',
        header: 'Order',
        fixed: true,
        card: 'main',
        className: 'card:whitespace-normal card:self-center card:overflow-hidden',
        link: ({ paymentId, merchantOrderId: text }) => ({ href: hrefIn(scope, `/payments/${paymentId}`), text }),
      },
      { id: 'gateway', header: 'Gateway', priority: 4, cell: ({ gateway }) => gatewayTitle(gateway) },
      {
        id: 'note',
        header: note.header,
        look: 'quiet',
        card: 'line',
        className: 'card:td:empty:hidden card:overflow-visible card:whitespace-normal card:h-auto card:leading-[1.4]',
        fills: true,
        cell: note.cell,
      },
      {
        id: 'merchant',
        header: 'Merchant',
        optional: scope.merchantId !== null,
        look: 'quiet',
        priority: 6,
        cell: ({ merchantId }) => names.get(merchantId) ?? '–',
      },
      { id: 'created', header: 'Created', sortable: 'descending', priority: 3, moment: ({ createdAt }) => createdAt },
      {
        id: 'actions',
        header: 'Actions',
        fixed: true,
        unseen: true,
        card: 'third',
        className: 'text-end card:overflow-visible card:whitespace-normal card:h-auto card:min-h-7',
        cell: (row) => (
          <span className="relative z-1 inline-flex gap-1.5 justify-end [&_button]:h-7 [&_button]:px-2.5 [&_button]:text-xs">
            {actions(row)}
          </span>
        ),
      },
    ];
  }, [before, note, actions, scope, merchants]);
}

/** Classes of columns that the lists bring themselves. */
export const moneyColumns = {
  state: 'card:overflow-visible card:whitespace-normal card:area-second card:self-center card:text-start',
  amount: 'font-medium tabular-nums text-end card:overflow-visible card:whitespace-normal card:area-aside card:text-base',
  expected:
    "tabular-nums text-end td:text-ink-quiet card:td:area-second card:td:self-center card:td:text-start card:td:before:content-['of_']",
  trouble: 'text-bad-ink',
} as const;

/** The order of a list as the URL names it. */
function sortOf({ sort, definition: { orders } }: ListState): string {
  return sort === undefined || orders === undefined ? '' : (writeSort(sort, orders) ?? '');
}
