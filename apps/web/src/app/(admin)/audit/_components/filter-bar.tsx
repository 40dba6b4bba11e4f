'use client';

import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  FilterBar as Bar,
  FilterMenu,
  filterClass,
  filterValueClass,
  PeriodFilter,
} from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { describeAction, describeKind } from '#/copy/audit.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type AuditFilters, type FilterChange, isFiltered, NO_FILTERS } from '../filters.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The filters of the log. The merchant is chosen in the bar above. */
export function FilterBar({ filters, onChange }: { filters: AuditFilters; onChange: (change: FilterChange) => void }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(trpc.audit.choices.queryOptions({ merchantId: scope.merchantId }, { staleTime: 60_000 }));
  const actors = data?.actors.map(({ actor, name }) => ({ value: actor, label: name })) ?? [];
  const actions = data?.actions.map((action) => ({ value: action, label: describeAction(action) })) ?? [];
  const kinds = data?.objectTypes.map((kind) => ({ value: kind, label: describeKind(kind) })) ?? [];
  const list = (values: string[]) => (values.length === 0 ? null : values);
  return (
    <Bar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
      <FilterMenu width={280} label="Actor" value={words(filters.actor, actors)}>
        <Ticks label="Actor" options={actors} values={filters.actor} onChange={(values) => onChange({ actor: list(values) })} />
      </FilterMenu>
      <FilterMenu width={280} label="Action" value={words(filters.action, actions)}>
        <Ticks
          label="Action"
          options={actions}
          values={filters.action}
          onChange={(values) => onChange({ action: list(values) })}
        />
      </FilterMenu>
      <FilterMenu width={280} label="Object" value={words(filters.kind, kinds)}>
        <Ticks label="Object" options={kinds} values={filters.kind} onChange={(values) => onChange({ kind: list(values) })} />
      </FilterMenu>
      <FilterMenu width={280} label="Time" value={describePeriod(filters.from, filters.to)}>
        <PeriodFilter from={filters.from} to={filters.to} onChange={onChange} />
      </FilterMenu>
      {scope.merchantId === null && (
        <button
          type="button"
          className={filterClass}
          aria-pressed={filters.workspace}
          data-set={filters.workspace}
          onClick={() => onChange({ workspace: filters.workspace ? null : true })}
        >
          Workspace only
        </button>
      )}
      {filters.object !== '' && (
        <button type="button" className={filterClass} data-set="true" onClick={() => onChange({ object: null })}>
          <span className={filterValueClass}>Id {filters.object}</span>
          <IconX size={14} stroke={1.7} aria-label="Remove this filter" />
        </button>
      )}
    </Bar>
  );
}

function words(values: readonly string[], options: readonly Option[]): string {
  return values.map((value) => options.find((option) => option.value === value)?.label ?? value).join(', ');
}

const SEARCH_FROM = 9;

function Ticks({
  label,
  options,
  values,
  onChange,
}: {
  label: string;
  options: readonly Option[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const [search, setSearch] = useState('');
  const found = options.filter((option) => option.label.toLowerCase().includes(search.toLowerCase()));
  return (
    <div className="grid gap-1.5 text-sm">
      {options.length >= SEARCH_FROM && (
        <SearchField label={`Find in: ${label}`} placeholder="Find" value={search} onSearch={setSearch} isInstant />
      )}
      <div className="grid max-h-[320px] overflow-y-auto">
        {found.map(({ value, label: text }) => (
          <label
            key={value}
            className="flex gap-2 items-center min-h-7.5 cursor-pointer wrap-anywhere [&_input]:flex-none [&_input]:w-4 [&_input]:h-4 [&_input]:m-0 [&_input]:accent-accent"
          >
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...values, value] : values.filter((known) => known !== value))
              }
            />
            {text}
          </label>
        ))}
      </div>
      {found.length === 0 && (
        <p className="text-ink-faint text-xs px-2">{options.length === 0 ? 'Nothing to select yet.' : 'No matches.'}</p>
      )}
    </div>
  );
}
