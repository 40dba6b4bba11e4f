'use client';

import Link from 'next/link';
import { type MouseEvent, useMemo } from 'react';
import { Badge } from '../../../../components/badge.tsx';
import { Button } from '../../../../components/button.tsx';
import { type DataColumn, DataTable } from '../../../../components/data-table/data-table.tsx';
import { DIFFERENCE_STATES, type Difference, KIND_WORDS, sayStatus } from '../../../../copy/differences.ts';
import { groupDecimal } from '../../../../format/amounts.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { sayDay } from './day-grid.tsx';
import classes from './differences-table.module.css';

export interface DifferencesTableProps {
  readonly rows: readonly Difference[];
  readonly openId: string | null;
  readonly onOpen: (differenceId: string) => void;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly onMore: () => void;
}

/** What does not agree, the latest day first. */
export function DifferencesTable({ rows, openId, onOpen, hasMore, loadingMore, onMore }: DifferencesTableProps) {
  const merchants = useScope().merchantId === null;
  const columns = useMemo(() => columnsFor(openId, onOpen, merchants), [openId, onOpen, merchants]);
  return (
    <>
      <DataTable
        label="Differences"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.differenceId}
        openKey={openId}
        onNearEnd={onMore}
      />
      <p className={classes.end}>
        {hasMore ? (
          <Button onClick={onMore} busy={loadingMore}>
            Load more
          </Button>
        ) : (
          `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'difference' : 'differences'}, the latest day first`
        )}
      </p>
    </>
  );
}

/** With its merchant where several are shown. */
function accountOf({ accountLabel, merchantName }: Difference, merchants: boolean): string {
  return merchants ? `${accountLabel} · ${merchantName}` : accountLabel;
}

function columnsFor(openId: string | null, onOpen: (differenceId: string) => void, merchants: boolean): DataColumn<Difference>[] {
  return [
    { id: 'state', header: 'State', className: classes.state, cell: stateCell },
    {
      id: 'kind',
      header: 'What differs',
      className: classes.kind,
      cell: (row) => <DifferenceLink row={row} open={row.differenceId === openId} onOpen={onOpen} />,
    },
    { id: 'ours', header: 'Ours', className: classes.amount, cell: (row) => sayOf(row, row.ours) },
    { id: 'theirs', header: 'Theirs', className: classes.amount, cell: (row) => sayOf(row, row.theirs) },
    {
      id: 'both',
      header: 'Ours → theirs',
      className: classes.both,
      cell: (row) => `${sayOf(row, row.ours)} → ${sayOf(row, row.theirs)}`,
    },
    {
      id: 'reference',
      header: 'Reference',
      className: classes.reference,
      cell: (row) => row.reference ?? row.transactionId ?? '–',
    },
    { id: 'account', header: 'Account', className: classes.account, cell: (row) => accountOf(row, merchants) },
    { id: 'owner', header: 'Owner', className: classes.owner, cell: (row) => row.ownerName ?? '–' },
    { id: 'day', header: 'Day', className: classes.day, cell: (row) => sayDay(row.day) },
  ];
}

function stateCell(row: Difference) {
  const { word, tone } = DIFFERENCE_STATES[row.state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** The value of one side: its status when statuses differ, else its amount. */
function sayOf({ kind }: Difference, side: Difference['ours']): string {
  const { amount, currency, status } = side ?? {};
  if (kind === 'STATUS' && typeof status === 'string') return sayStatus(status);
  return typeof amount === 'string' ? `${currency ?? ''} ${groupDecimal(amount)}`.trim() : '–';
}

function DifferenceLink({ row, open, onOpen }: { row: Difference; open: boolean; onOpen: (differenceId: string) => void }) {
  const scope = useScope();
  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(row.differenceId);
  }
  const { word, meaning } = KIND_WORDS[row.kind];
  return (
    <Link
      href={hrefIn(scope, '/reconciliation', { difference: row.differenceId })}
      prefetch={false}
      className={classes.link}
      data-difference={row.differenceId}
      aria-current={open ? 'true' : undefined}
      title={meaning}
      onClick={click}
    >
      {row.about === 'refund' ? `Refund: ${word.toLowerCase()}` : word}
    </Link>
  );
}
