'use client';

import { type ReactNode, useMemo } from 'react';
import { ORDERS } from '#/app/(admin)/reconciliation/filters.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, RowLink } from '#/components/data-table/columns.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { useNow } from '#/components/time/now.tsx';
import { DISCREPANCY_STATES, type Discrepancy, KIND_LABELS, statusLabel } from '#/copy/discrepancies.ts';
import type { Selection } from '#/discrepancies/use-selection.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { dayOf } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { currencyOf } from '../days/totals.ts';

/** The discrepancies as their page has them. */
interface DiscrepanciesTableProps {
  readonly list: Pages<Discrepancy>;
  readonly tools: ListState;
  readonly selection: Selection<Discrepancy>;
  readonly openId: string | null;
  readonly onOpen: (discrepancyId: string) => void;
  /** Shown while there is none. */
  readonly empty: ReactNode;
}

export const DISCREPANCY_LIST: ListDefinition = {
  page: 'discrepancies',
  orders: ORDERS,
  notSaved: ['discrepancy'],
};

/** Discrepancies in the order of the list. */
export function DiscrepanciesTable({ selection, openId, onOpen, ...table }: DiscrepanciesTableProps) {
  const today = dayOf(useNow());
  const columns = useMemo(() => columnsFor({ openId, onOpen, today }), [openId, onOpen, today]);
  return (
    <NounTable
      label="Discrepancies"
      name="discrepancies"
      columns={columns}
      rowKey={(row) => row.discrepancyId}
      openKey={openId}
      selection={selection.table}
      noun={['discrepancy', 'discrepancies']}
      {...table}
    />
  );
}

interface TableContext {
  readonly openId: string | null;
  readonly onOpen: (discrepancyId: string) => void;
  readonly today: string;
}

function columnsFor({ openId, onOpen, today }: TableContext): DataColumn<Discrepancy>[] {
  return [
    { id: 'state', header: 'Status', card: 'second', cell: stateCell },
    {
      id: 'kind',
      header: 'Difference',
      fixed: true,
      card: 'main',
      cell: (row) => <DiscrepancyLink row={row} open={row.discrepancyId === openId} onOpen={onOpen} />,
    },
    {
      id: 'ledger',
      header: 'Ledger',
      look: 'number',
      card: 'hidden',
      cell: (row) => describeSide(row, row.ledger),
    },
    {
      id: 'statement',
      header: 'Statement',
      look: 'number',
      card: 'hidden',
      cell: (row) => describeSide(row, row.statement),
    },
    {
      id: 'difference',
      header: 'Amount',
      look: 'number',
      card: 'aside',
      className: 'card:text-sm',
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
      look: 'id',
      priority: 4,
      cell: (row) => row.reference ?? row.transactionId ?? '–',
    },
    {
      id: 'account',
      header: 'Account',
      priority: 3,
      account: (row) => row,
    },
    {
      id: 'owner',
      header: 'Owner',
      look: 'quiet',
      priority: 5,
      cell: (row) => row.ownerName ?? '–',
    },
    {
      id: 'day',
      header: 'Day',
      optional: true,
      className: 'td:text-ink-quiet card:td:area-third card:td:self-center card:td:text-xs card:td:text-end',
      cell: ({ day }) => formatDay(day),
    },
    {
      id: 'age',
      header: 'Age',
      sortable: 'descending',
      className: 'td:text-ink-quiet card:td:area-third card:td:self-center card:td:text-xs card:td:text-end',
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
