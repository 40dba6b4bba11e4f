'use client';

import Link from 'next/link';
import { Badge } from '#/components/badge/badge.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { ARRIVALS } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Bank = RouterOutputs['settlements']['bank']['read'];
type BankDay = Bank['days'][number];
type BankPayout = Bank['payouts'][number];

const COLUMNS = [
  { title: 'Paid out on' },
  { title: 'Account' },
  { title: 'Payouts' },
  { title: 'Paid out', number: true },
  { title: 'Reached the bank', number: true },
  { title: 'Difference', number: true },
  { title: 'Status' },
];

/** The payouts of each account and day, with what reached the bank of them. */
export function DaysTable({ days, payouts }: { days: readonly BankDay[]; payouts: readonly BankPayout[] }) {
  const payoutsOf = Map.groupBy(payouts, keyOf);
  return (
    <PlainTable label="Payouts by day" columns={COLUMNS}>
      <tbody {...roles.group}>
        {days.map((day) => (
          <Day key={keyOf(day)} day={day} payouts={payoutsOf.get(keyOf(day)) ?? []} />
        ))}
      </tbody>
    </PlainTable>
  );
}

function keyOf({ settledOn, accountId, currency }: BankDay | BankPayout): string {
  return `${settledOn} ${accountId} ${currency}`;
}

function Day({
  day: { settledOn, currency, paidOut, arrived, difference },
  payouts,
}: {
  day: BankDay;
  payouts: readonly BankPayout[];
}) {
  const scope = useScope();
  const states = [...new Set(payouts.map(({ state }) => state))];
  return (
    <tr {...roles.row}>
      <td {...textCell('Paid out on')}>{formatDay(settledOn)}</td>
      <td {...textCell('Account')}>
        {payouts[0]?.accountLabel} <span className="text-ink-quiet">· {payouts[0]?.merchantName}</span>
      </td>
      <td {...textCell('Payouts')}>
        {payouts.map(({ settlementId, reference }) => (
          <Link key={settlementId} href={hrefIn(scope, `/settlements/${settlementId}`)} prefetch={false} className="block">
            {reference}
          </Link>
        ))}
      </td>
      <td {...numberCell('Paid out')}>{formatMoney(currency, paidOut)}</td>
      <td {...numberCell('Reached the bank')}>{arrived === '0' ? '–' : formatDecimal(currency, arrived)}</td>
      <td {...numberCell('Difference')}>{difference === '0' ? '–' : formatDecimal(currency, difference)}</td>
      <td {...textCell('Status')}>
        {states.map((state) => (
          <span key={state} className="block" title={ARRIVALS[state].meaning}>
            <Badge tone={ARRIVALS[state].tone}>{ARRIVALS[state].word}</Badge>
          </span>
        ))}
      </td>
    </tr>
  );
}
