'use client';

import { IconChevronDown, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Popup } from '../../../../components/popup/popup.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { describeAction, describeKind } from '../../../../words/audit.ts';
import { describePeriod } from '../../payments/_components/period.ts';
import { PeriodFilter } from '../../payments/_components/period-filter.tsx';
import { type AuditFilters, type FilterChange, isFiltered, NO_FILTERS } from '../filters.ts';
import classes from './filter-bar.module.css';

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Everything the log can be narrowed by, combined as one likes. The merchant is chosen in the bar above. */
export function FilterBar({ filters, onChange }: { filters: AuditFilters; onChange: (change: FilterChange) => void }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(trpc.audit.choices.queryOptions({ merchantId: scope.merchantId }, { staleTime: 60_000 }));
  const actors = data?.actors.map(({ actor, name }) => ({ value: actor, label: name })) ?? [];
  const actions = data?.actions.map((action) => ({ value: action, label: describeAction(action) })) ?? [];
  const kinds = data?.objectTypes.map((kind) => ({ value: kind, label: describeKind(kind) })) ?? [];
  const list = (values: string[]) => (values.length === 0 ? null : values);
  return (
    <search className={classes.bar}>
      <Filter label="Who" value={words(filters.actor, actors)}>
        <Ticks label="Who" options={actors} values={filters.actor} onChange={(values) => onChange({ actor: list(values) })} />
      </Filter>
      <Filter label="What" value={words(filters.action, actions)}>
        <Ticks label="What" options={actions} values={filters.action} onChange={(values) => onChange({ action: list(values) })} />
      </Filter>
      <Filter label="To what" value={words(filters.kind, kinds)}>
        <Ticks label="To what" options={kinds} values={filters.kind} onChange={(values) => onChange({ kind: list(values) })} />
      </Filter>
      <Filter label="When" value={describePeriod(filters.from, filters.to)}>
        <PeriodFilter from={filters.from} to={filters.to} onChange={onChange} />
      </Filter>
      {scope.merchantId === null && (
        <button
          type="button"
          className={classes.filter}
          aria-pressed={filters.workspace}
          data-set={filters.workspace}
          onClick={() => onChange({ workspace: filters.workspace ? null : true })}
        >
          Workspace only
        </button>
      )}
      {filters.object !== '' && (
        <button type="button" className={classes.filter} data-set="true" onClick={() => onChange({ object: null })}>
          <span className={classes.value}>Id {filters.object}</span>
          <IconX size={14} stroke={1.7} aria-label="Take this filter away" />
        </button>
      )}
      {isFiltered(filters) && (
        <button type="button" className={classes.clear} onClick={() => onChange(NO_FILTERS)}>
          Clear
        </button>
      )}
    </search>
  );
}

function words(values: readonly string[], options: readonly Option[]): string {
  return values.map((value) => options.find((option) => option.value === value)?.label ?? value).join(', ');
}

function Filter({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  const face = (
    <>
      {label}
      {value !== '' && <strong className={classes.value}>{value}</strong>}
      <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label={label}
      align="start"
      width={280}
      button={{ className: classes.filter, 'data-set': value !== '', children: face }}
      content={() => children}
    />
  );
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
  const found = options.filter((option) => option.label.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div className={classes.choices}>
      {options.length >= SEARCH_FROM && (
        <input
          className={classes.search}
          type="search"
          aria-label={`Find in: ${label}`}
          placeholder="Find"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div className={classes.ticks}>
        {found.map(({ value, label: text }) => (
          <label key={value} className={classes.tick}>
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
        <p className={classes.note}>{options.length === 0 ? 'Nothing to choose from yet.' : 'None has this in its name.'}</p>
      )}
    </div>
  );
}
