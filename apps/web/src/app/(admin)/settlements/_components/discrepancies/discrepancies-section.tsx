'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import {
  hasDiscrepancyFilter,
  NO_FILTERS,
  type SettlementsChange,
  type SettlementsFilters,
  toDiscrepancyFilter,
} from '#/app/(admin)/settlements/filters.ts';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu } from '#/components/filter-bar/filter-bar.tsx';
import { NothingListed } from '#/components/list/nothing-listed.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Select } from '#/components/select/select.tsx';
import { SETTLEMENT_DISCREPANCY_KINDS, SETTLEMENT_DISCREPANCY_LABELS, type SettlementDiscrepancy } from '#/copy/settlements.ts';
import { OwnerFilter } from '#/discrepancies/owner-filter.tsx';
import { useSelection } from '#/discrepancies/use-selection.ts';
import { useScope } from '#/scope/use-scope.ts';
import { AccountFilter } from '../account-filter.tsx';
import { useDiscrepancies } from '../use-settlements.ts';
import { DiscrepanciesTable } from './discrepancies-table.tsx';

const BulkBar = dynamic(() => import('./bulk-bar.tsx').then((module) => module.BulkBar));

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const;

const KIND_CHOICES = SETTLEMENT_DISCREPANCY_KINDS.map((value) => ({ value, label: SETTLEMENT_DISCREPANCY_LABELS[value].word }));

const PLACE_OPTIONS = [
  { value: '', label: 'Any' },
  { value: 'payouts', label: 'Payouts' },
  { value: 'bank', label: 'The bank' },
] as const;

/** The work list: what is open between what was expected and what was settled, and what can be done with several at once. */
export function DiscrepanciesSection({
  filters,
  openId,
  onChange,
  onOpen,
}: {
  filters: SettlementsFilters;
  openId: string | null;
  onChange: (change: SettlementsChange) => void;
  onOpen: (discrepancyId: string) => void;
}) {
  const list = useDiscrepancies(filters);
  const scope = useScope();
  const selection = useSelection(list.rows, nameOf);
  // Loaded with the first selection; it stays to say what became of it.
  const [isSelecting, setSelecting] = useState(false);
  if (!isSelecting && selection.selected.length > 0) setSelecting(true);
  const clear = hasDiscrepancyFilter(filters) ? () => onChange(NO_FILTERS) : null;
  const named = filters.state === 'all' ? 'discrepancies' : `${filters.state} discrepancies`;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar onClear={clear}>
          <SegmentedControl label="Status" choices={STATES} value={filters.state} onChange={(state) => onChange({ state })} />
          <FilterMenu label="Type" value={filters.kind.map((each) => SETTLEMENT_DISCREPANCY_LABELS[each].word).join(', ')}>
            <CheckboxGroup label="Type" choices={KIND_CHOICES} values={filters.kind} onChange={(kind) => onChange({ kind })} />
          </FilterMenu>
          <Select
            label="In"
            labelPlace="inside"
            marked={filters.place !== null}
            options={PLACE_OPTIONS}
            value={filters.place ?? ''}
            onChange={(place) => onChange({ place: place === '' ? null : place })}
          />
          <AccountFilter chosen={filters.account} onChange={onChange} />
          <OwnerFilter value={filters.owner} onChange={(owner) => onChange({ owner })} />
          {filters.settlement !== '' && <span className="text-accent-ink text-sm font-medium">One settlement</span>}
        </FilterBar>
        <ExportButton list="settlement-discrepancies" filter={toDiscrepancyFilter(scope, filters)} />
      </div>
      {isSelecting && <BulkBar selection={selection} />}
      <DiscrepanciesTable
        list={list}
        selection={selection}
        sort={filters.sort}
        openId={openId}
        onSort={(sort) => onChange({ sort })}
        onOpen={onOpen}
        empty={
          <NothingListed nouns={named} title={`No ${named}`} onClear={clear}>
            A payment that is not settled on its day, an amount other than expected, and a line that nothing explains appear here.
          </NothingListed>
        }
      />
    </>
  );
}

function nameOf({ kind, reference, transactionId, discrepancyId }: SettlementDiscrepancy): string {
  return `${SETTLEMENT_DISCREPANCY_LABELS[kind].word}, ${reference ?? transactionId ?? discrepancyId}`;
}
