'use client';

import Link from 'next/link';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { ARRIVALS } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Bank = RouterOutputs['settlements']['bank']['read'];
type BankDay = Bank['days'][number];
type BankPayout = Bank['payouts'][number];

/** The payouts of each account and day, with what reached the bank of them. */
export function DaysTable({ days, payouts }: { days: readonly BankDay[]; payouts: readonly BankPayout[] }) {
  const scope = useScope();
  const payoutsOf = Map.groupBy(payouts, keyOf);
  const rows = days.map((day) => ({ day, payouts: payoutsOf.get(keyOf(day)) ?? [] }));
  return (
    <DataTable label="Payouts by day" name="bank-days" columns={columnsOf(scope)} rows={rows} rowKey={({ day }) => keyOf(day)} />
  );
}

function keyOf({ settledOn, accountId, currency }: BankDay | BankPayout): string {
  return `${settledOn} ${accountId} ${currency}`;
}

interface DayRow {
  readonly day: BankDay;
  readonly payouts: readonly BankPayout[];
}

const NUMBER = 'tabular-nums text-end card:text-start';

function columnsOf(scope: Scope): DataColumn<DayRow>[] {
  return [
    {
      id: 'day',
      header: 'Paid out on',
      fixed: true,
      className: 'card:area-main',
      sortable: 'descending',
      sortValue: ({ day }) => day.settledOn,
      cell: ({ day }) => formatDay(day.settledOn),
    },
    {
      id: 'account',
      header: 'Account',
      labelled: true,
      cell: ({ payouts: [first] }) => (
        <>
          {first?.accountLabel} <span className="text-ink-quiet">· {first?.merchantName}</span>
        </>
      ),
    },
    {
      id: 'payouts',
      header: 'Payouts',
      labelled: true,
      cell: ({ payouts }) =>
        payouts.map(({ settlementId, reference }) => (
          <Link key={settlementId} href={hrefIn(scope, `/settlements/${settlementId}`)} prefetch={false} className="block">
            {reference}
          </Link>
        )),
    },
    {
      id: 'paid',
      header: 'Paid out',
      fixed: true,
      labelled: true,
      className: NUMBER,
      cell: ({ day: { currency, paidOut } }) => formatMoney(currency, paidOut),
    },
    {
      id: 'arrived',
      header: 'Reached the bank',
      fixed: true,
      labelled: true,
      className: NUMBER,
      cell: ({ day: { currency, arrived } }) => (arrived === '0' ? '–' : formatDecimal(currency, arrived)),
    },
    {
      id: 'difference',
      header: 'Difference',
      fixed: true,
      labelled: true,
      className: NUMBER,
      cell: ({ day: { currency, difference } }) => (difference === '0' ? '–' : formatDecimal(currency, difference)),
    },
    { id: 'status', header: 'Status', labelled: true, cell: ({ payouts }) => <States payouts={payouts} /> },
  ];
}

function States({ payouts }: Pick<DayRow, 'payouts'>) {
  return [...new Set(payouts.map(({ state }) => state))].map((state) => (
    <span key={state} className="block" title={ARRIVALS[state].meaning}>
      <Badge tone={ARRIVALS[state].tone}>{ARRIVALS[state].word}</Badge>
    </span>
  ));
}
