'use client';

import { lazy } from 'react';
import {
  isFiltered,
  NO_FILTERS,
  type ReconciliationChange,
  type ReconciliationFilters,
} from '#/app/(admin)/reconciliation/filters.ts';
import { FilterBar, filterClass } from '#/components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '#/components/filter-bar/filter-menu.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Select } from '#/components/select/select.tsx';
import { DISCREPANCY_KINDS, KIND_LABELS } from '#/copy/discrepancies.ts';
import { OwnerFilter } from '#/discrepancies/owner-filter.tsx';

const AmountFilter = lazy(() => import('./amount-filter.tsx').then((module) => ({ default: module.AmountFilter })));

const STATE_FILTERS = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const;

const KIND_OPTIONS = [
  { value: '', label: 'Any' } as const,
  ...DISCREPANCY_KINDS.map((value) => ({ value, label: KIND_LABELS[value].word })),
];

/** The filters of the list of discrepancies. */
export function DiscrepancyFilters({
  filters,
  onChange,
}: {
  filters: ReconciliationFilters;
  onChange: (change: ReconciliationChange) => void;
}) {
  return (
    <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
      <SegmentedControl label="Status" choices={STATE_FILTERS} value={filters.state} onChange={(state) => onChange({ state })} />
      <Select
        label="Type"
        labelPlace="inside"
        marked={filters.kind.length > 0}
        options={KIND_OPTIONS}
        value={filters.kind[0] ?? ''}
        onChange={(kind) => onChange({ kind: kind === '' ? [] : [kind] })}
      />
      <OwnerFilter value={filters.owner} onChange={(owner) => onChange({ owner })} />
      <FilterMenu width={260} label="Amount" value={describeAmounts(filters)}>
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

function describeAmounts({ least, most }: Pick<ReconciliationFilters, 'least' | 'most'>): string {
  if (least === '' && most === '') return '';
  if (most === '') return `from ${grouped(least)}`;
  return least === '' ? `up to ${grouped(most)}` : `${grouped(least)} to ${grouped(most)}`;
}

function grouped(text: string): string {
  return Number(text).toLocaleString('en');
}
