'use client';

import { type ReactNode, useMemo } from 'react';
import { ORDERS } from '#/app/(admin)/settlements/filters.ts';
import { type DataColumn, RowLink } from '#/components/data-table/columns.tsx';
import { readSort, writeSort } from '#/components/list/list-parsers.ts';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { DISCREPANCY_STATES } from '#/copy/discrepancies.ts';
import { SETTLEMENT_DISCREPANCY_LABELS, type SettlementDiscrepancy } from '#/copy/settlements.ts';
import type { Selection } from '#/discrepancies/use-selection.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

/** Discrepancies in the order of the list. */
export function DiscrepanciesTable({
  list,
  selection,
  sort,
  openId,
  onSort,
  onOpen,
  empty,
}: {
  list: Pages<SettlementDiscrepancy>;
  selection: Selection<SettlementDiscrepancy>;
  /** As the URL names it. */
  sort: string;
  openId: string | null;
  onSort: (sort: string | null) => void;
  onOpen: (discrepancyId: string) => void;
  /** Shown while there is none. */
  empty: ReactNode;
}) {
  const scope = useScope();
  const columns = useMemo(() => columnsFor({ scope, openId, onOpen }), [scope, openId, onOpen]);
  return (
    <NounTable
      label="Discrepancies"
      name="settlement-discrepancies"
      columns={columns}
      list={list}
      rowKey={(row) => row.discrepancyId}
      openKey={openId}
      noun={['discrepancy', 'discrepancies']}
      empty={empty}
      sort={readSort(sort, ORDERS)}
      onSort={(next) => onSort(writeSort(next, ORDERS))}
      selection={selection.table}
    />
  );
}

interface TableContext {
  readonly scope: Scope;
  readonly openId: string | null;
  readonly onOpen: (discrepancyId: string) => void;
}

function columnsFor({ scope, openId, onOpen }: TableContext): DataColumn<SettlementDiscrepancy>[] {
  return [
    {
      id: 'state',
      header: 'Status',
      card: 'second',
      badge: ({ state }) => DISCREPANCY_STATES[state],
    },
    {
      id: 'kind',
      header: 'Discrepancy',
      fixed: true,
      card: 'main',
      cell: ({ discrepancyId, kind, about }) => (
        <RowLink
          href={hrefIn(scope, '/settlements', { view: 'discrepancies', discrepancy: discrepancyId })}
          isOpen={discrepancyId === openId}
          onOpen={() => onOpen(discrepancyId)}
          data-discrepancy={discrepancyId}
          title={SETTLEMENT_DISCREPANCY_LABELS[kind].meaning}
        >
          {describeKind(kind, about)}
        </RowLink>
      ),
    },
    {
      id: 'expected',
      header: 'Expected',
      priority: 3,
      money: ({ currency, expected: amount }) => (amount === null ? null : { currency, amount }),
    },
    {
      id: 'settled',
      header: 'Settled',
      priority: 3,
      money: ({ currency, settled: amount }) => (amount === null ? null : { currency, amount }),
    },
    {
      id: 'amount',
      header: 'Amount',
      card: 'aside',
      className: 'font-medium',
      sortable: 'descending',
      money: ({ currency, amount }) => ({ currency, amount }),
    },
    {
      id: 'reference',
      header: 'Order or reference',
      look: 'quiet',
      priority: 4,
      cell: ({ merchantOrderId, reference, transactionId, about, settlementReference }) =>
        merchantOrderId ??
        reference ??
        transactionId ??
        (about === 'payout' || about === 'status' ? settlementReference : null) ??
        '–',
    },
    {
      id: 'account',
      header: 'Account',
      priority: 4,
      account: (row) => row,
    },
    {
      id: 'owner',
      header: 'Owner',
      look: 'quiet',
      priority: 5,
      cell: ({ ownerName }) => ownerName ?? '–',
    },
    {
      id: 'created',
      header: 'Age',
      sortable: 'descending',
      look: 'time',
      card: 'third',
      cell: ({ ageDays, expectedOn }) => (
        <span title={expectedOn === null ? undefined : `Expected on ${formatDay(expectedOn)}`}>
          {ageDays === 1 ? '1 day' : `${ageDays.toLocaleString('en')} days`}
        </span>
      ),
    },
  ];
}

/** A kind with what it is about, where that is not a payment. */
export function describeKind(kind: SettlementDiscrepancy['kind'], about: SettlementDiscrepancy['about']): string {
  const { word } = SETTLEMENT_DISCREPANCY_LABELS[kind];
  if (about === 'payment' || about === 'line' || about === 'fee') return word;
  if (about === 'bank') return 'Bank: no payout';
  if (about === 'status') return 'Payout: unknown status';
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}: ${word.toLowerCase()}`;
}
