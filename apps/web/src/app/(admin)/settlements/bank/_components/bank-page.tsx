'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { ABOUTS } from '#/app/(admin)/settlements/filters.ts';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { FilterBar } from '#/components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '#/components/filter-bar/filter-menu.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { PeriodFilter } from '#/components/filter-bar/period-filter.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { useNow } from '#/components/time/now.tsx';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn, scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { periodParsers, toBankInput } from '../period.ts';
import { CoveredDays } from './covered-days.tsx';
import { DaysTable } from './days-table.tsx';
import { OpenLines } from './open-lines.tsx';
import { StatementIntake } from './statement-intake.tsx';
import { StatementsTable } from './statements-table.tsx';

/** Payouts at the bank: arrived, on the way and missing, and lines that are of none. */
export function BankPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const can = useCan();
  const now = useNow();
  const [period, setPeriod] = useQueryStates(periodParsers);
  const { data } = useQuery(trpc.settlements.bank.read.queryOptions(toBankInput(scope, period, now)));
  const { merchantId, mode } = scope;
  return (
    <>
      <BackLink href={hrefIn(scope, '/settlements')}>Settlements</BackLink>
      <PageHead title="Bank">
        <Link href={hrefIn(scope, '/settlements', { view: 'discrepancies', place: 'bank' })}>Discrepancies</Link>
        <ExportButton list="settlement-discrepancies" filter={{ ...scopeFilter(scope), abouts: ABOUTS.bank, states: ['OPEN'] }} />
      </PageHead>
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
      {data !== undefined && data.payouts.length === 0 && (
        <EmptyState title="No payouts in this period">
          Choose another period to see what reached the bank of its payouts.
        </EmptyState>
      )}
      {data !== undefined && data.payouts.length > 0 && (
        <>
          <div className="grid gap-4 mb-5">
            {data.sums.map((sums) => (
              <Sums key={sums.currency} sums={sums} />
            ))}
          </div>
          <DaysTable days={data.days} payouts={data.payouts} />
        </>
      )}
      {data !== undefined && data.unmatched.length > 0 && <OpenLines lines={data.unmatched} />}
      <StatementsTable scope={scope} />
    </>
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
