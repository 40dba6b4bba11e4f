'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import { ABOUTS } from '#/app/(admin)/settlements/filters.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { FilterBar, FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { NounTable } from '#/components/list/noun-table.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { useNow } from '#/components/time/now.tsx';
import { ARRIVALS, type OpenBankLine } from '#/copy/settlements.ts';
import { formatMoney, moneyColumn } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn, type Scope, scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { periodParsers, toBankInput } from '../period.ts';
import { CoveredDays } from './covered-days.tsx';
import { StatementIntake, StatementsTable } from './statements.tsx';

/** Payouts at the bank: arrived, on the way and missing, and lines that are of none. */
export function BankPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const can = useCan();
  const now = useNow();
  const [period, setPeriod] = useQueryStates(periodParsers);
  const query = useQuery(trpc.settlements.bank.read.queryOptions(toBankInput(scope, period, now)));
  const { data } = query;
  const { merchantId, mode } = scope;
  return (
    <>
      <BackLink href={hrefIn(scope, '/settlements')}>Settlements</BackLink>
      <PageHead title="Bank">
        <Link href={hrefIn(scope, '/settlements', { view: 'discrepancies', place: 'bank' })}>Discrepancies</Link>
        <ExportButton list="settlement-discrepancies" filter={{ ...scopeFilter(scope), abouts: ABOUTS.bank, states: ['OPEN'] }} />
      </PageHead>
      {data !== undefined && <NotArrived bank={data} />}
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        Import the statements of the bank account that gateways pay out to: CSV, XLSX, MT940 or CAMT.053. Each payout is matched
        with the money that came, by its reference, else by amount and day. A payout is missing only where statements cover its
        days.
      </p>
      {merchantId !== null && can('reconciliation:resolve', merchantId) && (
        <StatementIntake merchantId={merchantId} mode={mode} />
      )}
      {merchantId === null && <p className="mb-6 text-ink-quiet text-sm">Select a merchant to import a statement.</p>}
      {data !== undefined && <CoveredDays coverage={data.coverage} />}
      <FilterBar onClear={null}>
        <FilterMenu label="Paid out" value={describePeriod(period.from, period.to)}>
          <PeriodFilter from={period.from} to={period.to} onChange={(next) => void setPeriod(next)} />
        </FilterMenu>
      </FilterBar>
      {data !== undefined && (
        <div className="grid gap-4 mb-5 empty:hidden">
          {data.sums.map((sums) => (
            <Sums key={sums.currency} sums={sums} />
          ))}
        </div>
      )}
      <NounTable
        label="Payouts by day"
        name="bank-days"
        list={wholeList(query, data && daysOf(data))}
        columns={columnsOf(scope)}
        rowKey={({ day }) => keyOf(day)}
        noun={['day', 'days']}
        empty={
          <EmptyState title="No payouts in this period">
            Choose another period to see what reached the bank of its payouts.
          </EmptyState>
        }
      />
      {data !== undefined && data.unmatched.length > 0 && <OpenLines lines={data.unmatched} />}
      <StatementsTable scope={scope} />
    </>
  );
}

/** Payouts that did not arrive, before all else: each amount leads to its discrepancies. */
function NotArrived({ bank: { sums, payouts } }: { bank: Bank }) {
  const scope = useScope();
  const missing = sums.filter((sum) => sum.missing !== '0');
  if (missing.length === 0) return null;
  return (
    <p className="mb-5 text-base font-medium" role="status">
      {missing.map(({ currency, missing: amount }) => {
        const count = payouts.filter((one) => one.currency === currency && one.state === 'missing').length;
        return (
          <Link
            key={currency}
            className="block text-bad-ink underline underline-offset-3"
            href={hrefIn(scope, '/settlements', { view: 'discrepancies', place: 'bank' })}
          >
            {formatMoney(currency, amount)} of {count === 1 ? '1 payout' : `${count} payouts`} did not reach the bank
          </Link>
        );
      })}
    </p>
  );
}

type BankSums = RouterOutputs['settlements']['bank']['read']['sums'][number];

function Sums({ sums }: { sums: BankSums }) {
  const { currency, paidOut, arrived, onTheWay, missing, difference, notCovered } = sums;
  return (
    <section aria-label={`What reached the bank, ${currency}`} className="max-w-[520px]">
      <DescriptionList>
        <Description name="Paid out">{formatMoney(currency, paidOut)}</Description>
        <Description name="Reached the bank" strong>
          {formatMoney(currency, arrived)}
        </Description>
        <Description name="Difference">{difference === '0' ? 'None' : formatMoney(currency, difference)}</Description>
        <Description name="On the way">{formatMoney(currency, onTheWay)}</Description>
        <Description name="Missing">{formatMoney(currency, missing)}</Description>
        {notCovered !== '0' && <Description name="Without a statement">{formatMoney(currency, notCovered)}</Description>}
      </DescriptionList>
    </section>
  );
}

type Bank = RouterOutputs['settlements']['bank']['read'];
type BankDay = Bank['days'][number];
type BankPayout = Bank['payouts'][number];

/** The payouts of each account and day, with what reached the bank of them. */
function daysOf({ days, payouts }: Bank): DayRow[] {
  const payoutsOf = Map.groupBy(payouts, keyOf);
  return days.map((day) => ({ day, payouts: payoutsOf.get(keyOf(day)) ?? [] }));
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
      card: 'main',
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
      money: ({ day: { currency, paidOut } }) => ({ currency, amount: paidOut }),
    },
    {
      id: 'arrived',
      header: 'Reached the bank',
      fixed: true,
      labelled: true,
      className: NUMBER,
      money: ({ day: { currency, arrived } }) => (arrived === '0' ? null : { currency, amount: arrived }),
    },
    {
      id: 'difference',
      header: 'Difference',
      fixed: true,
      labelled: true,
      className: NUMBER,
      money: ({ day: { currency, difference } }) => (difference === '0' ? null : { currency, amount: difference }),
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

const PayoutDialog = dynamic(() => import('./payout-dialog.tsx').then((module) => module.PayoutDialog));

/** Lines of the bank that name a gateway and are of no payout, each to be matched by hand. */
function OpenLines({ lines }: { lines: readonly OpenBankLine[] }) {
  const can = useCan();
  const [matched, setMatched] = useState<OpenBankLine | null>(null);
  const amount = moneyColumn('Amount', lines);
  const columns = [{ title: 'Booked' }, { title: 'Bank account' }, { title: 'Text' }, amount, { title: 'Match' }];
  return (
    <div className="mt-8">
      <h2 className="mb-2 text-base font-semibold">Without a payout</h2>
      <p className="mb-2 text-sm text-ink-quiet">The bank names a gateway, and no payout matches it.</p>
      <PlainTable label="Without a payout" columns={columns}>
        <tbody {...roles.group}>
          {lines.map((line) => (
            <tr key={line.bankLineId} {...roles.row}>
              <td {...textCell('Booked')}>{formatDay(line.bookedOn)}</td>
              <td {...textCell('Bank account')}>{line.bankAccount}</td>
              <td {...textCell('Text')}>{line.text}</td>
              <td {...numberCell(amount.title)}>{amount.format(line.currency, line.amount)}</td>
              <td {...textCell('Match')}>
                {can('reconciliation:resolve', line.merchantId) && <Button onClick={() => setMatched(line)}>Match…</Button>}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {matched !== null && <PayoutDialog line={matched} onClose={() => setMatched(null)} />}
    </div>
  );
}
