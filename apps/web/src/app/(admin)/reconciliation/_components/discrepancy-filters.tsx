'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { TextField } from '../../../../components/field/field.tsx';
import { FilterBar, FilterField, filterClass } from '../../../../components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '../../../../components/filter-bar/filter-menu.tsx';
import { Segments } from '../../../../components/segments/segments.tsx';
import { DISCREPANCY_KINDS, KIND_LABELS } from '../../../../copy/discrepancies.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { isFiltered, NO_FILTERS, NO_OWNER, type ReconciliationChange, type ReconciliationFilters } from '../filters.ts';
import classes from './discrepancy-filters.module.css';

const STATE_FILTERS = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const;

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
      <Segments label="State" choices={STATE_FILTERS} value={filters.state} onChange={(state) => onChange({ state })} />
      <FilterField label="Kind" set={filters.kind.length > 0}>
        {(id) => (
          <select
            id={id}
            value={filters.kind[0] ?? ''}
            onChange={({ currentTarget }) =>
              onChange({ kind: DISCREPANCY_KINDS.filter((known) => known === currentTarget.value) })
            }
          >
            <option value="">Any</option>
            {DISCREPANCY_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {KIND_LABELS[kind].word}
              </option>
            ))}
          </select>
        )}
      </FilterField>
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

function OwnerFilter({ value, onChange }: { value: string; onChange: (owner: string) => void }) {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const merchantIds = merchantId === null ? [] : [merchantId];
  const { data: owners = [] } = useQuery(trpc.reconciliation.owners.queryOptions({ merchantIds }, { staleTime: 60_000 }));
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const isKnown = value === '' || value === NO_OWNER || owners.some(({ staffId }) => staffId === value);
  return (
    <FilterField label="Owner" set={value !== ''}>
      {(id) => (
        <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">Any</option>
          <option value={NO_OWNER}>No owner</option>
          {owners.map(({ staffId, name }) => (
            <option key={staffId} value={staffId}>
              {staffId === me?.staffId ? `${name} (you)` : name}
            </option>
          ))}
          {!isKnown && <option value={value}>Former colleague</option>}
        </select>
      )}
    </FilterField>
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

function AmountFilter({
  filters,
  onChange,
}: {
  filters: Pick<ReconciliationFilters, 'least' | 'most'>;
  onChange: (change: ReconciliationChange) => void;
}) {
  const [least, setLeast] = useState(filters.least);
  const [most, setMost] = useState(filters.most);
  const problem = (text: string) => (/^\d{0,12}$/.test(text) ? null : 'must be a whole amount');
  const isValid = problem(least) === null && problem(most) === null;
  return (
    <form
      className={classes.amounts}
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onChange({ least: least === '' ? null : least, most: most === '' ? null : most });
      }}
    >
      <TextField
        label="At least"
        inputMode="numeric"
        value={least}
        problem={problem(least)}
        onChange={({ currentTarget }) => setLeast(currentTarget.value.replaceAll(',', '').trim())}
      />
      <TextField
        label="At most"
        inputMode="numeric"
        value={most}
        problem={problem(most)}
        onChange={({ currentTarget }) => setMost(currentTarget.value.replaceAll(',', '').trim())}
      />
      <Button type="submit" disabled={!isValid}>
        Apply
      </Button>
    </form>
  );
}
