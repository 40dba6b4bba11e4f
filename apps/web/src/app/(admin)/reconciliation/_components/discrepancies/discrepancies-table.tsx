'use client';

import { useMemo } from 'react';
import { ORDERS } from '#/app/(admin)/reconciliation/filters.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { RowLink } from '#/components/data-table/row-link.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { useNow } from '#/components/time/now.tsx';
import { DISCREPANCY_STATES, type Discrepancy, KIND_LABELS, statusLabel } from '#/copy/discrepancies.ts';
import type { Selection } from '#/discrepancies/use-selection.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { dayOf } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { currencyOf } from '../days/totals.ts';
import classes from './discrepancies-table.module.css';

/** The rows loaded so far, and how further ones are requested. */
export interface DiscrepanciesTableProps {
  readonly rows: readonly Discrepancy[];
  readonly list: ListState;
  readonly selection: Selection<Discrepancy>;
  readonly openId: string | null;
  readonly onOpen: (discrepancyId: string) => void;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly onMore: () => void;
}

/** The discrepancies as a list. */
export const DISCREPANCY_LIST: ListDefinition = {
  page: 'discrepancies',
  orders: ORDERS,
  notSaved: ['discrepancy'],
};

/** Discrepancies in the order of the list. */
export function DiscrepanciesTable(props: DiscrepanciesTableProps) {
  const { rows, list, selection, openId, onOpen, hasMore, loadingMore, onMore } = props;
  const merchants = useScope().merchantId === null;
  const today = dayOf(useNow());
  const columns = useMemo(() => columnsFor({ openId, onOpen, merchants, today }), [openId, onOpen, merchants, today]);
  return (
    <>
      <DataTable
        label="Discrepancies"
        name="discrepancies"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.discrepancyId}
        openKey={openId}
        onNearEnd={onMore}
        sort={list.sort}
        onSort={list.setSort}
        selection={selection.table}
      />
      <p className="flex justify-center py-5 text-ink-faint text-xs">
        {hasMore ? (
          <Button onClick={onMore} loading={loadingMore}>
            Load more
          </Button>
        ) : (
          `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'discrepancy' : 'discrepancies'}`
        )}
      </p>
    </>
  );
}

/** With its merchant where several are shown. */
function accountOf({ accountLabel, merchantName }: Discrepancy, merchants: boolean): string {
  return merchants ? `${accountLabel} · ${merchantName}` : accountLabel;
}

interface TableContext {
  readonly openId: string | null;
  readonly onOpen: (discrepancyId: string) => void;
  /** True if several merchants are shown. */
  readonly merchants: boolean;
  readonly today: string;
}

function columnsFor({ openId, onOpen, merchants, today }: TableContext): DataColumn<Discrepancy>[] {
  return [
    { id: 'state', header: 'Status', className: 'card:area-second', cell: stateCell },
    {
      id: 'kind',
      header: 'Difference',
      fixed: true,
      className: 'card:area-main card:text-base',
      cell: (row) => <DiscrepancyLink row={row} open={row.discrepancyId === openId} onOpen={onOpen} />,
    },
    {
      id: 'ledger',
      header: 'Ledger',
      className: 'tabular-nums text-end card:hidden',
      cell: (row) => describeSide(row, row.ledger),
    },
    {
      id: 'statement',
      header: 'Statement',
      className: 'tabular-nums text-end card:hidden',
      cell: (row) => describeSide(row, row.statement),
    },
    {
      id: 'difference',
      header: 'Amount',
      className: 'tabular-nums text-end card:area-aside card:text-sm',
      sortable: 'descending',
      cell: (row) => (
        <>
          <span className="card:hidden">{`${currencyOf(row)} ${formatDecimal(currencyOf(row), row.amount)}`.trim()}</span>
          {/* On a card, the two sides instead: it has no columns for them. */}
          <span className="hidden card:inline">
            {describeSide(row, row.ledger)} → {describeSide(row, row.statement)}
          </span>
        </>
      ),
    },
    {
      id: 'reference',
      header: 'Reference',
      className: 'font-mono text-xs th:[font-family:inherit] @max-[860px]/room:hidden td:text-ink-quiet',
      cell: (row) => row.reference ?? row.transactionId ?? '–',
    },
    {
      id: 'account',
      header: 'Account',
      className: '@max-[700px]/room:hidden',
      cell: (row) => accountOf(row, merchants),
    },
    {
      id: 'owner',
      header: 'Owner',
      className: 'th:[font-family:inherit] @max-[1020px]/room:hidden td:text-ink-quiet',
      cell: (row) => row.ownerName ?? '–',
    },
    { id: 'day', header: 'Day', optional: true, className: classes.day, cell: ({ day }) => formatDay(day) },
    {
      id: 'age',
      header: 'Age',
      sortable: 'descending',
      className: classes.day,
      cell: ({ day }) => <span title={formatDay(day)}>{describeAge(day, today)}</span>,
    },
  ];
}

/** Whole days since a reconciled day. */
function describeAge(day: string, today: string): string {
  const days = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
  return days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
}

function stateCell(row: Discrepancy) {
  const { word, tone } = DISCREPANCY_STATES[row.state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** The value on the ledger or the statement: its status when statuses differ, else its amount. */
function describeSide({ kind }: Discrepancy, side: Discrepancy['ledger']): string {
  const { amount, currency, status } = side ?? {};
  if (kind === 'STATUS' && typeof status === 'string') return statusLabel(status);
  return typeof amount === 'string' ? `${currency ?? ''} ${formatDecimal(String(currency ?? ''), amount)}`.trim() : '–';
}

function DiscrepancyLink({ row, open, onOpen }: { row: Discrepancy; open: boolean; onOpen: (discrepancyId: string) => void }) {
  const scope = useScope();
  const { discrepancyId, kind, about } = row;
  const { word, meaning } = KIND_LABELS[kind];
  return (
    <RowLink
      href={hrefIn(scope, '/reconciliation', { discrepancy: discrepancyId })}
      isOpen={open}
      onOpen={() => onOpen(discrepancyId)}
      data-discrepancy={discrepancyId}
      title={meaning}
    >
      {about === 'refund' ? `Refund: ${word.toLowerCase()}` : word}
    </RowLink>
  );
}
