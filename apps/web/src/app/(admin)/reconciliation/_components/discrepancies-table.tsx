'use client';

import Link from 'next/link';
import { type MouseEvent, useMemo } from 'react';
import { Badge } from '../../../../components/badge.tsx';
import { Button } from '../../../../components/button.tsx';
import { type DataColumn, DataTable } from '../../../../components/data-table/data-table.tsx';
import { pickColumns } from '../../../../components/list/list-columns.ts';
import type { ListDefinition } from '../../../../components/list/use-list.ts';
import { DISCREPANCY_STATES, type Discrepancy, KIND_LABELS, statusLabel } from '../../../../copy/discrepancies.ts';
import { groupDecimal } from '../../../../format/amounts.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { formatDay } from './day-grid.tsx';
import classes from './discrepancies-table.module.css';

/** The rows loaded so far, and how further ones are requested. */
export interface DiscrepanciesTableProps {
  readonly rows: readonly Discrepancy[];
  /** Ids of the columns, in order. */
  readonly shown: readonly string[];
  readonly openId: string | null;
  readonly onOpen: (discrepancyId: string) => void;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly onMore: () => void;
}

/** The discrepancies as a list with columns to choose. */
export const DISCREPANCY_LIST: ListDefinition = {
  page: 'discrepancies',
  columns: [
    { id: 'state', title: 'State' },
    { id: 'kind', title: 'Difference', fixed: true },
    { id: 'ledger', title: 'Ledger' },
    { id: 'statement', title: 'Statement' },
    { id: 'reference', title: 'Reference' },
    { id: 'account', title: 'Account' },
    { id: 'owner', title: 'Owner' },
    { id: 'day', title: 'Day' },
  ],
  notSaved: ['discrepancy'],
};

/** Discrepancies, the latest day first. */
export function DiscrepanciesTable({ rows, shown, openId, onOpen, hasMore, loadingMore, onMore }: DiscrepanciesTableProps) {
  const merchants = useScope().merchantId === null;
  const columns = useMemo(() => columnsFor(openId, onOpen, merchants), [openId, onOpen, merchants]);
  return (
    <>
      <DataTable
        label="Discrepancies"
        columns={pickColumns(columns, withBoth(shown))}
        rows={rows}
        rowKey={(row) => row.discrepancyId}
        openKey={openId}
        onNearEnd={onMore}
      />
      <p className={classes.end}>
        {hasMore ? (
          <Button onClick={onMore} busy={loadingMore}>
            Load more
          </Button>
        ) : (
          `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'discrepancy' : 'discrepancies'}, the latest day first`
        )}
      </p>
    </>
  );
}

/** Where the table is narrow, one column stands for the ledger and the statement. */
function withBoth(shown: readonly string[]): string[] {
  return shown.flatMap((id) => (id === 'statement' ? [id, 'both'] : [id]));
}

/** With its merchant where several are shown. */
function accountOf({ accountLabel, merchantName }: Discrepancy, merchants: boolean): string {
  return merchants ? `${accountLabel} · ${merchantName}` : accountLabel;
}

function columnsFor(
  openId: string | null,
  onOpen: (discrepancyId: string) => void,
  merchants: boolean,
): DataColumn<Discrepancy>[] {
  return [
    { id: 'state', header: 'State', className: classes.state, cell: stateCell },
    {
      id: 'kind',
      header: 'What differs',
      className: classes.kind,
      cell: (row) => <DiscrepancyLink row={row} open={row.discrepancyId === openId} onOpen={onOpen} />,
    },
    { id: 'ledger', header: 'Ledger', className: classes.amount, cell: (row) => describeSide(row, row.ledger) },
    { id: 'statement', header: 'Statement', className: classes.amount, cell: (row) => describeSide(row, row.statement) },
    {
      id: 'both',
      header: 'Ledger → statement',
      className: classes.both,
      cell: (row) => `${describeSide(row, row.ledger)} → ${describeSide(row, row.statement)}`,
    },
    {
      id: 'reference',
      header: 'Reference',
      className: classes.reference,
      cell: (row) => row.reference ?? row.transactionId ?? '–',
    },
    { id: 'account', header: 'Account', className: classes.account, cell: (row) => accountOf(row, merchants) },
    { id: 'owner', header: 'Owner', className: classes.owner, cell: (row) => row.ownerName ?? '–' },
    { id: 'day', header: 'Day', className: classes.day, cell: (row) => formatDay(row.day) },
  ];
}

function stateCell(row: Discrepancy) {
  const { word, tone } = DISCREPANCY_STATES[row.state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** The value on the ledger or the statement: its status when statuses differ, else its amount. */
function describeSide({ kind }: Discrepancy, side: Discrepancy['ledger']): string {
  const { amount, currency, status } = side ?? {};
  if (kind === 'STATUS' && typeof status === 'string') return statusLabel(status);
  return typeof amount === 'string' ? `${currency ?? ''} ${groupDecimal(amount)}`.trim() : '–';
}

function DiscrepancyLink({ row, open, onOpen }: { row: Discrepancy; open: boolean; onOpen: (discrepancyId: string) => void }) {
  const scope = useScope();
  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(row.discrepancyId);
  }
  const { word, meaning } = KIND_LABELS[row.kind];
  return (
    <Link
      href={hrefIn(scope, '/reconciliation', { discrepancy: row.discrepancyId })}
      prefetch={false}
      className={classes.link}
      data-discrepancy={row.discrepancyId}
      aria-current={open ? 'true' : undefined}
      title={meaning}
      onClick={click}
    >
      {row.about === 'refund' ? `Refund: ${word.toLowerCase()}` : word}
    </Link>
  );
}
