'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import type { Pages } from '#/components/list/use-pages.ts';
import { Moment } from '#/components/time/moment.tsx';
import { DISPUTE_STATE_LABELS, type Dispute } from '#/copy/disputes.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { TimeLeft } from './time-left.tsx';

/** Disputes, those that are due first. */
export function DisputesTable({ list }: { list: Pages<Dispute> }) {
  const scope = useScope();
  const columns = useMemo(() => columnsFor(scope), [scope]);
  return (
    <>
      <DataTable
        label="Disputes"
        name="disputes"
        columns={columns}
        rows={list.rows}
        rowKey={(row) => row.disputeId}
        onNearEnd={list.more}
      />
      <ListEnd
        loaded={list.rows.length}
        noun={['dispute', 'disputes']}
        hasMore={list.hasMore}
        loadingMore={list.loadingMore}
        onMore={list.more}
      />
    </>
  );
}

function columnsFor(scope: Scope): DataColumn<Dispute>[] {
  const withMerchants = scope.merchantId === null;
  return [
    {
      id: 'due',
      header: 'Time left',
      className: 'card:area-aside tabular-nums',
      cell: (row) => <TimeLeft dispute={row} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      fixed: true,
      className: 'tabular-nums text-end card:area-main card:text-base card:text-start',
      cell: (row) => (
        <Link href={hrefIn(scope, `/disputes/${row.disputeId}`)} prefetch={false} className="row-link font-medium">
          {formatMoney(row.currency, row.amount)}
        </Link>
      ),
    },
    {
      id: 'state',
      header: 'Status',
      className: 'card:area-second',
      cell: ({ state }) => <Badge tone={DISPUTE_STATE_LABELS[state].tone}>{DISPUTE_STATE_LABELS[state].word}</Badge>,
    },
    {
      id: 'kind',
      header: 'Type',
      className: '@max-[1000px]/room:hidden td:text-ink-quiet',
      cell: ({ category, stage }) => [category, stage].filter((word) => word !== null).join(', ') || '–',
    },
    {
      id: 'account',
      header: 'Account',
      className: 'card:area-third',
      cell: (row) => (
        <>
          {row.accountLabel}
          {row.paymentId === null && <span className="text-ink-quiet"> · not in the ledger</span>}
          {withMerchants && <span className="text-ink-quiet @max-[640px]/room:hidden"> · {row.merchantName}</span>}
        </>
      ),
    },
    {
      id: 'reference',
      header: 'Dispute',
      className: 'font-mono text-xs th:[font-family:inherit] td:text-ink-quiet @max-[760px]/room:hidden',
      cell: ({ gatewayDisputeId }) => gatewayDisputeId,
    },
    {
      id: 'opened',
      header: 'Opened',
      className: '@max-[640px]/room:hidden td:text-ink-quiet',
      cell: ({ openedAt }) => <Moment value={openedAt} />,
    },
  ];
}
