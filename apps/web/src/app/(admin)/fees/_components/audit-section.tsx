'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import classes from '#/app/(admin)/settlements/_components/explained.module.css';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, RowLink } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { filterClass } from '#/components/filter-bar/filter-bar.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { DISCREPANCY_STATES } from '#/copy/discrepancies.ts';
import { DATE_LABELS, type FeeMonth, type FeeSums, type PaymentFee } from '#/copy/fees.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { describeMonth } from '#/format/calendar.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type FeesChange, type FeesFilters, isFiltered, toFeesInput } from '../filters.ts';
import { FeeFilters } from './fee-filters.tsx';
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
  const sums = useFeeSums(filters);
  const months = useFeeMonths(filters);
  const columns = useMemo(() => columnsFor(scope, openId, onOpen), [scope, openId, onOpen]);
  const { limit: _, ...exported } = toFeesInput(scope, filters, now);
  return (
    <>
      <FeeFilters filters={filters} onChange={onChange} />
      {sums?.length === 0 ? (
        <NothingAudited filtered={isFiltered(filters)} />
      ) : (
        <>
          {sums === undefined ? (
            <div className="h-22 mb-5 rounded-xl bg-ground-quiet" role="status" aria-label="Loading the sums" />
          ) : (
            <Overcharge sums={sums} />
          )}
          {months !== undefined && <MonthsTable months={months} date={filters.date} />}
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
          <NounTable
            label="Fees"
            name="fees"
            list={list}
            columns={columns}
            rowKey={(row) => row.paymentId}
            noun={['payment', 'payments']}
            empty={<EmptyState title="No overcharge">Every fee of these payments is as agreed, or lower.</EmptyState>}
          />
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

function columnsFor(scope: Scope, openId: string | null, onOpen: (paymentId: string) => void): DataColumn<PaymentFee>[] {
  return [
    {
      id: 'paid',
      header: 'Paid',
      fixed: true,
      card: 'main',
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
      card: 'third',
      className: 'font-mono text-xs th:[font-family:inherit]',
      cell: ({ merchantOrderId }) => merchantOrderId,
    },
    {
      id: 'account',
      header: 'Account',
      priority: 3,
      account: (row) => row,
    },
    {
      id: 'amount',
      header: 'Amount',
      priority: 4,
      money: ({ currency, amount }) => ({ currency, amount }),
    },
    {
      id: 'expected',
      header: 'By contract',
      priority: 2,
      money: ({ currency, expected: amount }) => (amount === null ? null : { currency, amount }),
    },
    {
      id: 'charged',
      header: 'Charged',
      priority: 2,
      money: ({ currency, charged: amount }) => (amount === null ? null : { currency, amount }),
    },
    {
      id: 'excess',
      header: 'Difference',
      card: 'aside',
      className: 'font-medium',
      money: ({ currency, excess: amount }) => ({ currency, amount }),
    },
    {
      id: 'state',
      header: 'Case',
      card: 'second',
      cell: ({ discrepancyState: state }) =>
        state === null ? null : <Badge tone={DISCREPANCY_STATES[state].tone}>{DISCREPANCY_STATES[state].word}</Badge>,
    },
  ];
}

/** Fees by account and month, each with a file of its overcharges to send to the gateway. */
function MonthsTable({ months, date }: { months: readonly FeeMonth[]; date: FeesFilters['date'] }) {
  const { mode, merchantId } = useScope();
  const can = useCan();
  const columns = [
    { title: DATE_LABELS[date].month },
    { title: 'Account' },
    { title: 'Payments', number: true },
    { title: 'By contract', number: true },
    { title: 'Charged', number: true },
    { title: 'Difference', number: true },
    { title: 'Overcharged', number: true },
    { title: 'For the gateway' },
  ];
  return (
    <PlainTable label="By account and month" columns={columns}>
      <tbody {...roles.group}>
        {months.map((row) => (
          <tr key={`${row.accountId} ${row.month} ${row.currency}`} {...roles.row}>
            <td {...textCell(DATE_LABELS[date].month)}>{row.month === null ? 'Not settled' : describeMonth(row.month)}</td>
            <td {...textCell('Account')}>
              {row.accountLabel}
              {merchantId === null && <span className="text-ink-quiet"> · {row.merchantName}</span>}
            </td>
            <td {...numberCell('Payments')}>{row.payments.toLocaleString('en')}</td>
            <td {...numberCell('By contract')}>{formatDecimal(row.currency, row.expected)}</td>
            <td {...numberCell('Charged')}>{formatDecimal(row.currency, row.charged)}</td>
            <td {...numberCell('Difference')}>{formatDecimal(row.currency, row.difference)}</td>
            <td {...numberCell('Overcharged')}>
              {row.overcharged === 0 ? (
                <span className="text-ink-faint">{formatMoney(row.currency, '0')}</span>
              ) : (
                <span className="text-bad-ink font-medium">{formatMoney(row.currency, row.overcharge)}</span>
              )}
            </td>
            <td {...textCell('For the gateway')}>
              {can('report:export', row.merchantId) && row.overcharged > 0 && row.month !== null && (
                <span className="inline-flex gap-3">
                  {(['xlsx', 'csv'] as const).map((format) => (
                    <a
                      key={format}
                      href={fileAddress(format, { ...ofMonth(row, date, row.month ?? ''), mode, overchargedOnly: true })}
                      download
                      aria-label={`${format.toUpperCase()} of the overcharges of ${row.accountLabel}, ${describeMonth(row.month ?? '')}`}
                    >
                      {format.toUpperCase()}
                    </a>
                  ))}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

/** The file of one account and month, to send to the gateway. */
function fileAddress(format: 'xlsx' | 'csv', filter: object): string {
  return `/api/export/fees?${new URLSearchParams({ format, bom: String(format === 'csv'), filter: JSON.stringify(filter) })}`;
}

function ofMonth({ merchantId, accountId }: FeeMonth, date: FeesFilters['date'], month: string) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { merchantIds: [merchantId], accountIds: [accountId], date, from: `${month}-01`, to: last };
}

/** Charges beyond the contracts, beside what was agreed; a line for each currency. */
function Overcharge({ sums }: { sums: readonly FeeSums[] }) {
  return (
    <div className="grid gap-3 mb-5">
      {sums.map((one) => (
        <Currency key={one.currency} sums={one} />
      ))}
    </div>
  );
}

function Currency({ sums }: { sums: FeeSums }) {
  const { currency, overcharge, overcharged, expected, charged, undercharge, undercharged, withoutContract, withoutFee } = sums;
  const figure = (amount: string) => formatMoney(currency, amount);
  return (
    <section className="py-3.5 px-4 border border-line rounded-xl" aria-label={`Fees, ${currency}`}>
      <dl className={classes.figures}>
        <div className={classes.headline}>
          <dt>Overcharged</dt>
          <dd>{figure(overcharge)}</dd>
          <dd className={classes.detail}>{countPayments(overcharged)}</dd>
        </div>
        <div>
          <dt>By contract</dt>
          <dd>{figure(expected)}</dd>
          <dd className={classes.detail}>{countPayments(sums.compared)} compared</dd>
        </div>
        <div>
          <dt>Charged</dt>
          <dd>{figure(charged)}</dd>
        </div>
        <div>
          <dt>Less than agreed</dt>
          <dd>{figure(undercharge)}</dd>
          <dd className={classes.detail}>{countPayments(undercharged)}</dd>
        </div>
        <div>
          <dt>Not compared</dt>
          <dd>{countPayments(sums.payments - sums.compared)}</dd>
          <dd className={classes.detail}>
            {withoutContract > 0 && `${withoutContract.toLocaleString('en')} without a contract`}
            {withoutContract > 0 && withoutFee > 0 && ', '}
            {withoutFee > 0 && `${withoutFee.toLocaleString('en')} without a known fee`}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function countPayments(count: number): string {
  return count === 1 ? '1 payment' : `${count.toLocaleString('en')} payments`;
}
