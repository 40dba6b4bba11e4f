'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import type { Pages } from '#/components/list/use-pages.ts';
import { SETTLEMENT_LABELS, type Settlement } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

/** Settlements, those without a day of payout first, then the newest. */
export function SettlementsTable({ list }: { list: Pages<Settlement> }) {
  const scope = useScope();
  const columns = useMemo(() => columnsFor(scope), [scope]);
  return (
    <>
      <DataTable
        label="Settlements"
        name="settlements"
        columns={columns}
        rows={list.rows}
        rowKey={(row) => row.settlementId}
        onNearEnd={list.more}
      />
      <ListEnd
        loaded={list.rows.length}
        noun={['settlement', 'settlements']}
        hasMore={list.hasMore}
        loadingMore={list.loadingMore}
        onMore={list.more}
      />
    </>
  );
}

const NUMBER = 'tabular-nums text-end';

function columnsFor(scope: Scope): DataColumn<Settlement>[] {
  const withMerchants = scope.merchantId === null;
  return [
    {
      id: 'day',
      header: 'Paid out',
      fixed: true,
      className: 'card:area-main card:text-base',
      cell: (row) => (
        <Link href={hrefIn(scope, `/settlements/${row.settlementId}`)} prefetch={false} className="row-link font-medium">
          {row.settledOn === null ? 'Not yet' : formatDay(row.settledOn)}
        </Link>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      className: 'card:area-second',
      cell: ({ status }) => <Badge tone={SETTLEMENT_LABELS[status].tone}>{SETTLEMENT_LABELS[status].word}</Badge>,
    },
    {
      id: 'account',
      header: 'Account',
      className: '@max-[640px]/room:hidden',
      cell: (row) => (withMerchants ? `${row.accountLabel} · ${row.merchantName}` : row.accountLabel),
    },
    {
      id: 'reference',
      header: 'Reference',
      className: 'font-mono text-xs th:[font-family:inherit] td:text-ink-quiet @max-[1320px]/room:hidden',
      cell: ({ reference }) => reference,
    },
    { id: 'gross', header: 'Payments', className: `${NUMBER} @max-[900px]/room:hidden`, cell: grossCell },
    {
      id: 'fees',
      header: 'Fees',
      className: `${NUMBER} @max-[900px]/room:hidden td:text-ink-quiet`,
      cell: ({ currency, fees }) => takenOff(currency, fees),
    },
    {
      id: 'deductions',
      header: 'Deductions',
      className: `${NUMBER} @max-[1060px]/room:hidden td:text-ink-quiet`,
      cell: ({ currency, deductions }) => takenOff(currency, deductions),
    },
    {
      id: 'net',
      header: 'Net',
      className: `${NUMBER} card:area-aside font-medium`,
      cell: ({ currency, net }) => formatMoney(currency, net),
    },
    { id: 'unexplained', header: 'Unexplained', className: `${NUMBER} card:area-third`, cell: unexplainedCell },
    {
      id: 'open',
      header: 'Open',
      className: `${NUMBER} @max-[720px]/room:hidden`,
      cell: (row) =>
        row.openDiscrepancies === 0 ? (
          <span className="text-ink-faint">0</span>
        ) : (
          <Link
            href={hrefIn(scope, '/settlements', { view: 'discrepancies', settlement: row.settlementId })}
            aria-label={`${row.openDiscrepancies} open discrepancies of ${row.reference}`}
          >
            {row.openDiscrepancies.toLocaleString('en')}
          </Link>
        ),
    },
  ];
}

function grossCell({ currency, gross }: Settlement) {
  return formatDecimal(currency, gross);
}

/** Amounts that are taken off are written with a minus. */
function takenOff(currency: string, amount: string): string {
  return formatDecimal(currency, amount === '0' || amount.startsWith('-') ? amount.replace('-', '') : `-${amount}`);
}

function unexplainedCell({ status, lineCount, currency, unexplained }: Settlement) {
  if (status !== 'PAID' || lineCount === 0) return <span className="card:hidden text-ink-faint">–</span>;
  if (unexplained === '0') return <span className="card:hidden text-ink-quiet">{formatDecimal(currency, '0')}</span>;
  return (
    <span className="text-bad-ink font-medium card:before:font-normal card:before:content-['Unexplained_']">
      {formatDecimal(currency, unexplained)}
    </span>
  );
}
