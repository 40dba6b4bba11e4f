'use client';

import Link from 'next/link';
import { ListFailed, PaymentsSkeleton } from '#/app/(admin)/payments/_components/list/payments-skeleton.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, filterClass } from '#/components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '#/components/filter-bar/filter-menu.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { PeriodFilter } from '#/components/filter-bar/period-filter.tsx';
import { useNow } from '#/components/time/now.tsx';
import { SETTLEMENT_LABELS, SETTLEMENT_STATES } from '#/copy/settlements.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { isFiltered, NO_FILTERS, type SettlementsChange, type SettlementsFilters, toSettlementFilter } from '../filters.ts';
import { AccountFilter } from './account-filter.tsx';
import { Explained } from './explained.tsx';
import { SettlementsTable } from './settlements-table.tsx';
import { useExplained, useSettlementAccounts, useSettlements } from './use-settlements.ts';

const STATUS_CHOICES = SETTLEMENT_STATES.map((value) => ({ value, label: SETTLEMENT_LABELS[value].word }));

/** The list of settlements below what is explained of them. */
export function SettlementsSection({
  filters,
  onChange,
}: {
  filters: SettlementsFilters;
  onChange: (change: SettlementsChange) => void;
}) {
  const list = useSettlements(filters);
  const money = useExplained(filters);
  const scope = useScope();
  const now = useNow();
  const { status, from, to, unexplained } = filters;
  if (list.state === 'loading') return <PaymentsSkeleton />;
  if (list.state === 'failed') return <ListFailed message={list.error?.message ?? ''} onRetry={list.refetch} />;
  return (
    <>
      {money !== undefined && <Explained money={money} onUnexplained={() => onChange({ unexplained: true })} />}
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
          <AccountFilter chosen={filters.account} onChange={onChange} />
          <FilterMenu label="Status" value={status.map((each) => SETTLEMENT_LABELS[each].word).join(', ')}>
            <CheckboxGroup
              label="Status"
              choices={STATUS_CHOICES}
              values={[...status]}
              onChange={(next) => onChange({ status: next })}
            />
          </FilterMenu>
          <FilterMenu label="Paid out" value={describePeriod(from, to)}>
            <PeriodFilter from={from} to={to} onChange={onChange} />
          </FilterMenu>
          <button
            type="button"
            className={filterClass}
            aria-pressed={unexplained}
            data-set={unexplained}
            onClick={() => onChange({ unexplained: !unexplained })}
          >
            Unexplained only
          </button>
        </FilterBar>
        <ExportButton list="settlements" filter={toSettlementFilter(scope, filters, now)} />
      </div>
      {list.rows.length === 0 ? <NoSettlements filtered={isFiltered(filters)} /> : <SettlementsTable list={list} />}
    </>
  );
}

function NoSettlements({ filtered }: { filtered: boolean }) {
  const scope = useScope();
  const polled = useSettlementAccounts().some(({ road }) => road === 'POLLED');
  if (filtered) return <EmptyState title="No settlements match these filters">Clear a filter to see more.</EmptyState>;
  return (
    <EmptyState
      title="No settlements yet"
      action={<Link href={hrefIn(scope, '/settlements', { view: 'accounts' })}>See when each account is paid out</Link>}
    >
      {polled
        ? 'Gateways pay out on the working day after a payment, as a rule. Each payout is read from the gateway and compared with your payments, refunds and disputes.'
        : 'None of these accounts is at a gateway that lists its settlements. Paystack and Flutterwave do.'}
    </EmptyState>
  );
}
