'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { lazy, useState } from 'react';
import {
  AGES,
  type Age,
  isFiltered,
  NO_FILTERS,
  type ReconciliationChange,
  type ReconciliationFilters,
} from '#/app/(admin)/reconciliation/filters.ts';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu, filterClass } from '#/components/filter-bar/filter-bar.tsx';
import type { ListState } from '#/components/list/use-list.ts';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { DISCREPANCY_KINDS, type Discrepancy, KIND_LABELS, type Run } from '#/copy/discrepancies.ts';
import { OwnerFilter } from '#/discrepancies/owner-filter.tsx';
import { useSelection } from '#/discrepancies/use-selection.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { AgeGroup, useReconciliation } from '../use-reconciliation.ts';
import { DiscrepanciesTable } from './discrepancies-table.tsx';

const BulkBar = dynamic(() => import('../bulk/bulk-bar.tsx').then((module) => module.BulkBar));

/** The work list: discrepancies by age, owner and amount, and what can be done with several at once. */
export function DiscrepanciesSection({
  found,
  filters,
  list,
  openId,
  onChange,
  onOpen,
}: {
  found: ReturnType<typeof useReconciliation>;
  filters: ReconciliationFilters;
  list: ListState;
  openId: string | null;
  onChange: (change: ReconciliationChange) => void;
  onOpen: (discrepancyId: string) => void;
}) {
  const selection = useSelection(found.discrepancies.rows, nameOf);
  // Loaded with the first selection; it stays to say what became of it.
  const [isSelecting, setSelecting] = useState(false);
  if (!isSelecting && selection.selected.length > 0) setSelecting(true);
  return (
    <>
      <AgeSummary groups={found.byAge} age={filters.age} onChoose={(age) => onChange({ age, account: null, day: null })} />
      <DiscrepancyFilters filters={filters} onChange={onChange} />
      {isSelecting && <BulkBar selection={selection} />}
      <DiscrepanciesTable
        list={found.discrepancies}
        tools={list}
        selection={selection}
        openId={openId}
        onOpen={onOpen}
        empty={<NoDiscrepancies filters={filters} runs={found.runs} />}
      />
    </>
  );
}

function nameOf({ kind, reference, transactionId, discrepancyId }: Discrepancy): string {
  return `${KIND_LABELS[kind].word}, ${reference ?? transactionId ?? discrepancyId}`;
}

const LABELS: Readonly<Record<Age, string>> = {
  '0-2': 'Up to 2 days',
  '3-7': '3 to 7 days',
  '8-30': '8 to 30 days',
  '31-': 'Over 30 days',
};

/** Discrepancies by age: how many, their amount, how many have no owner. Each age filters the list. */
function AgeSummary({
  groups,
  age,
  onChoose,
}: {
  groups: readonly AgeGroup[];
  age: Age | null;
  onChoose: (age: Age | null) => void;
}) {
  return (
    <fieldset className="grid grid-cols-4 gap-2 min-w-0 mx-0 mt-0 mb-3 p-0 border-0 max-laptop:grid-cols-2" aria-label="Age">
      {AGES.map((each) => {
        const own = groups.filter((group) => ageOf(group) === each);
        const count = own.reduce((sum, group) => sum + group.count, 0);
        const unowned = own.reduce((sum, group) => sum + group.unowned, 0);
        return (
          <button
            key={each}
            type="button"
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 items-baseline min-h-16 py-2 px-3 border border-line rounded-xl text-sm tabular-nums text-start hover:bg-ground-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
            aria-pressed={age === each}
            onClick={() => onChoose(age === each ? null : each)}
          >
            <span className="text-ink-quiet text-xs font-medium">{LABELS[each]}</span>
            <span className={`text-lg font-semibold ${count > 0 && each === '31-' ? 'text-bad-ink' : ''}`}>
              {count.toLocaleString('en')}
            </span>
            <span className="col-span-full min-h-4 text-ink-quiet text-xs">{describeAmounts(own)}</span>
            <span className="col-span-full min-h-4 text-ink-quiet text-xs">
              {unowned > 0 && `${unowned.toLocaleString('en')} without an owner`}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}

function ageOf({ minDays, maxDays }: AgeGroup): string {
  return `${minDays}-${maxDays ?? ''}`;
}

function describeAmounts(groups: readonly AgeGroup[]): string {
  return groups.map(({ currency, amount }) => `${currency ?? ''} ${formatDecimal(currency, amount)}`.trim()).join(' · ');
}

const AmountFilter = lazy(() => import('./amount-filter.tsx').then((module) => ({ default: module.AmountFilter })));

const STATE_FILTERS = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const;

const KIND_CHOICES = DISCREPANCY_KINDS.map((value) => ({ value, label: KIND_LABELS[value].word }));

/** The filters of the list of discrepancies. */
function DiscrepancyFilters({
  filters,
  onChange,
}: {
  filters: ReconciliationFilters;
  onChange: (change: ReconciliationChange) => void;
}) {
  return (
    <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
      <SegmentedControl label="Status" choices={STATE_FILTERS} value={filters.state} onChange={(state) => onChange({ state })} />
      <FilterMenu label="Type" value={filters.kind.map((each) => KIND_LABELS[each].word).join(', ')}>
        <CheckboxGroup label="Type" choices={KIND_CHOICES} values={filters.kind} onChange={(kind) => onChange({ kind })} />
      </FilterMenu>
      <OwnerFilter value={filters.owner} onChange={(owner) => onChange({ owner })} />
      <FilterMenu width={260} label="Amount" value={describeBounds(filters)}>
        <AmountFilter key={`${filters.least}-${filters.most}`} filters={filters} onChange={onChange} />
      </FilterMenu>
      <button
        type="button"
        className={filterClass}
        aria-pressed={filters.tolerated}
        data-set={filters.tolerated}
        onClick={() => onChange({ tolerated: !filters.tolerated })}
      >
        Within tolerance
      </button>
    </FilterBar>
  );
}

function describeBounds({ least, most }: Pick<ReconciliationFilters, 'least' | 'most'>): string {
  if (least === '' && most === '') return '';
  if (most === '') return `from ${grouped(least)}`;
  return least === '' ? `up to ${grouped(most)}` : `${grouped(least)} to ${grouped(most)}`;
}

function grouped(text: string): string {
  return Number(text).toLocaleString('en');
}

/** Shown without an account that can be reconciled. */
export function NothingConnected() {
  const scope = useScope();
  return (
    <EmptyState title="No account to compare with" action={<Link href={hrefIn(scope, '/gateways')}>Connect a gateway</Link>}>
      Every night each connected account’s payments and refunds are compared with the gateway’s own list. Connect an account
      first.
    </EmptyState>
  );
}

/** Explains an empty list: ledger and statement agree, the filters exclude everything, or nothing was compared. */
function NoDiscrepancies({ filters, runs }: { filters: ReconciliationFilters; runs: readonly Run[] }) {
  const { state } = filters;
  if (isFiltered(filters)) {
    return (
      <EmptyState title={`No ${state === 'all' ? '' : `${state} `}discrepancies match these filters`}>
        Clear a filter to see more.
      </EmptyState>
    );
  }
  const compared = runs.filter(({ comparedAt }) => comparedAt !== null).length;
  if (compared === 0) {
    return (
      <EmptyState title="No days compared yet in this period">
        A day is compared four hours after its midnight, once more after three days for what came late, and daily for a week while
        one of your payments differs. To compare one sooner, select it under “Days” and press “Compare now”.
      </EmptyState>
    );
  }
  const closed = runs.reduce((sum, run) => sum + run.closed, 0);
  return (
    <EmptyState title={`No ${state === 'all' ? '' : `${state} `}discrepancies`}>
      {compared.toLocaleString('en')} of the last days {compared === 1 ? 'was' : 'were'} compared.
      {state === 'open' &&
        closed > 0 &&
        ` ${closed.toLocaleString('en')} closed ${closed === 1 ? 'one is' : 'ones are'} under “Closed”.`}
    </EmptyState>
  );
}
