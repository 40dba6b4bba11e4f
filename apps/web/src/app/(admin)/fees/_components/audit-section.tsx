'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import { ListFailed, PaymentsSkeleton } from '#/app/(admin)/payments/_components/list/payments-skeleton.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { RowLink } from '#/components/data-table/row-link.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { filterClass } from '#/components/filter-bar/filter-bar.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { DISCREPANCY_STATES } from '#/copy/discrepancies.ts';
import type { PaymentFee } from '#/copy/fees.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { type FeesChange, type FeesFilters, isFiltered, toFeesInput } from '../filters.ts';
import { FeeFilters } from './fee-filters.tsx';
import { MonthsTable } from './months-table.tsx';
import { Overcharge } from './overcharge.tsx';
import { useFeeMonths, useFeeSums, useFees } from './use-fees.ts';

/** The overcharges: their sum, by account and month, and one by one. */
export function AuditSection({
  filters,
  openId,
  onChange,
  onOpen,
}: {
  filters: FeesFilters;
  openId: string | null;
  onChange: (change: FeesChange) => void;
  onOpen: (paymentId: string) => void;
}) {
  const scope = useScope();
  const now = useNow();
  const list = useFees(filters);
  const sums = useFeeSums(filters) ?? [];
  const months = useFeeMonths(filters) ?? [];
  const columns = useMemo(() => columnsFor(scope, openId, onOpen), [scope, openId, onOpen]);
  if (list.state === 'loading') return <PaymentsSkeleton />;
  if (list.state === 'failed') return <ListFailed message={list.error?.message ?? ''} onRetry={list.refetch} />;
  const { limit: _, ...exported } = toFeesInput(scope, filters, now);
  return (
    <>
      <FeeFilters filters={filters} onChange={onChange} />
      {sums.length === 0 ? (
        <NothingAudited filtered={isFiltered(filters)} />
      ) : (
        <>
          <Overcharge sums={sums} />
          <MonthsTable months={months} date={filters.date} />
          <div className="flex flex-wrap items-center justify-between gap-2 mt-6 mb-2.5">
            <h2 className="text-base font-semibold">{filters.all ? 'Payments' : 'Overcharged payments'}</h2>
            <div className="flex flex-wrap gap-2">
              <button
                type="button"
                className={filterClass}
                aria-pressed={filters.all}
                data-set={filters.all}
                onClick={() => onChange({ all: !filters.all })}
              >
                All payments
              </button>
              <ExportButton list="fees" filter={exported} />
            </div>
          </div>
          {list.rows.length === 0 ? (
            <EmptyState title="No overcharge">Every fee of these payments is as agreed, or lower.</EmptyState>
          ) : (
            <>
              <DataTable
                label="Fees"
                name="fees"
                columns={columns}
                rows={list.rows}
                rowKey={(row) => row.paymentId}
                onNearEnd={list.more}
              />
              <ListEnd
                loaded={list.rows.length}
                noun={['payment', 'payments']}
                hasMore={list.hasMore}
                loadingMore={list.loadingMore}
                onMore={list.more}
              />
            </>
          )}
        </>
      )}
    </>
  );
}

function NothingAudited({ filtered }: { filtered: boolean }) {
  const scope = useScope();
  if (filtered) return <EmptyState title="No payment matches these filters">Clear a filter to see more.</EmptyState>;
  return (
    <EmptyState
      title="No fee was compared yet"
      action={<Link href={hrefIn(scope, '/fees', { view: 'contracts' })}>Enter a contract</Link>}
    >
      Once an account has a contract, each fee that its gateway reports or takes off a settlement is compared with it, within the
      hour.
    </EmptyState>
  );
}

const NUMBER = 'tabular-nums text-end';

function columnsFor(scope: Scope, openId: string | null, onOpen: (paymentId: string) => void): DataColumn<PaymentFee>[] {
  return [
    {
      id: 'paid',
      header: 'Paid',
      fixed: true,
      className: 'card:area-main',
      cell: ({ paymentId, paidAt }) => (
        <RowLink
          href={hrefIn(scope, '/fees', { payment: paymentId })}
          isOpen={paymentId === openId}
          onOpen={() => onOpen(paymentId)}
          data-fee={paymentId}
        >
          <Moment value={paidAt} />
        </RowLink>
      ),
    },
    {
      id: 'order',
      header: 'Order',
      className: 'card:area-third font-mono text-xs th:[font-family:inherit]',
      cell: ({ merchantOrderId }) => merchantOrderId,
    },
    {
      id: 'account',
      header: 'Account',
      className: '@max-[760px]/room:hidden',
      cell: (row) => (scope.merchantId === null ? `${row.accountLabel} · ${row.merchantName}` : row.accountLabel),
    },
    {
      id: 'amount',
      header: 'Amount',
      className: `${NUMBER} @max-[900px]/room:hidden`,
      cell: ({ currency, amount }) => formatDecimal(currency, amount),
    },
    {
      id: 'expected',
      header: 'By contract',
      className: `${NUMBER} @max-[640px]/room:hidden`,
      cell: ({ currency, expected }) => (expected === null ? '–' : formatDecimal(currency, expected)),
    },
    {
      id: 'charged',
      header: 'Charged',
      className: `${NUMBER} @max-[640px]/room:hidden`,
      cell: ({ currency, charged }) => (charged === null ? '–' : formatDecimal(currency, charged)),
    },
    {
      id: 'excess',
      header: 'Difference',
      className: `${NUMBER} card:area-aside font-medium`,
      cell: ({ currency, excess }) => formatMoney(currency, excess),
    },
    {
      id: 'state',
      header: 'Case',
      className: 'card:area-second',
      cell: ({ discrepancyState: state }) =>
        state === null ? null : <Badge tone={DISCREPANCY_STATES[state].tone}>{DISCREPANCY_STATES[state].word}</Badge>,
    },
  ];
}
