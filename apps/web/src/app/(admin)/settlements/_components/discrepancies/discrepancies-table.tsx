'use client';

import { useMemo } from 'react';
import { ORDERS } from '#/app/(admin)/settlements/filters.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { RowLink } from '#/components/data-table/row-link.tsx';
import { readSort, writeSort } from '#/components/list/list-parsers.ts';
import { DISCREPANCY_STATES } from '#/copy/discrepancies.ts';
import { SETTLEMENT_DISCREPANCY_LABELS, type SettlementDiscrepancy } from '#/copy/settlements.ts';
import type { Selection } from '#/discrepancies/use-selection.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

/** Discrepancies in the order of the list. */
export function DiscrepanciesTable({
  rows,
  selection,
  sort,
  openId,
  onSort,
  onOpen,
  onMore,
}: {
  rows: readonly SettlementDiscrepancy[];
  selection: Selection<SettlementDiscrepancy>;
  /** As the URL names it. */
  sort: string;
  openId: string | null;
  onSort: (sort: string | null) => void;
  onOpen: (discrepancyId: string) => void;
  onMore: () => void;
}) {
  const scope = useScope();
  const columns = useMemo(() => columnsFor({ scope, openId, onOpen }), [scope, openId, onOpen]);
  return (
    <DataTable
      label="Discrepancies"
      name="settlement-discrepancies"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.discrepancyId}
      openKey={openId}
      onNearEnd={onMore}
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

const NUMBER = 'tabular-nums text-end';

function columnsFor({ scope, openId, onOpen }: TableContext): DataColumn<SettlementDiscrepancy>[] {
  return [
    {
      id: 'state',
      header: 'Status',
      className: 'card:area-second',
      cell: ({ state }) => <Badge tone={DISCREPANCY_STATES[state].tone}>{DISCREPANCY_STATES[state].word}</Badge>,
    },
    {
      id: 'kind',
      header: 'Discrepancy',
      fixed: true,
      className: 'card:area-main card:text-base',
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
      className: `${NUMBER} @max-[720px]/room:hidden`,
      cell: ({ currency, expected }) => (expected === null ? '–' : formatDecimal(currency, expected)),
    },
    {
      id: 'settled',
      header: 'Settled',
      className: `${NUMBER} @max-[720px]/room:hidden`,
      cell: ({ currency, settled }) => (settled === null ? '–' : formatDecimal(currency, settled)),
    },
    {
      id: 'amount',
      header: 'Amount',
      className: `${NUMBER} card:area-aside font-medium`,
      sortable: 'descending',
      cell: ({ currency, amount }) => formatMoney(currency, amount),
    },
    {
      id: 'reference',
      header: 'Order or reference',
      className: 'th:[font-family:inherit] @max-[900px]/room:hidden td:text-ink-quiet',
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
      className: '@max-[860px]/room:hidden',
      cell: (row) => (scope.merchantId === null ? `${row.accountLabel} · ${row.merchantName}` : row.accountLabel),
    },
    {
      id: 'owner',
      header: 'Owner',
      className: '@max-[1020px]/room:hidden td:text-ink-quiet',
      cell: ({ ownerName }) => ownerName ?? '–',
    },
    {
      id: 'created',
      header: 'Age',
      sortable: 'descending',
      className: 'tabular-nums  td:text-ink-quiet card:area-third card:text-end',
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
