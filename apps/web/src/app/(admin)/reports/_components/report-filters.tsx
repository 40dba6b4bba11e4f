'use client';

import { useEffect, useState } from 'react';
import { FilterBar, FilterField } from '../../../../components/filter-bar/filter-bar.tsx';
import { viewerZone } from '../../../../format/zone.ts';
import { type Days, PERIOD_LABELS, PERIODS } from '../days.ts';
import { GROUPS, type Group, type ReportFilters, zoneOf } from '../filters.ts';
import classes from './reports-page.module.css';

/** The dimensions of a report as people read them. */
export const GROUP_LABELS: Readonly<Record<Group, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  gateway: 'Gateway',
  account: 'Account',
  method: 'Method',
  merchant: 'Merchant',
  rule: 'Rule',
};

/** A change of the URL; null clears a parameter. */
export type ReportChange = { [Name in keyof ReportFilters]?: ReportFilters[Name] | null };

/** The report's parameters: its days, their time zone, its grouping, and the instant it is taken at. */
export function ReportFilterBar({
  filters,
  days,
  onChange,
}: {
  filters: ReportFilters;
  days: Days;
  onChange: (change: ReportChange) => void;
}) {
  const custom = filters.from !== '' || filters.to !== '';
  return (
    <FilterBar onClear={null}>
      <FilterField label="Period">
        {(id) => (
          <select
            id={id}
            value={custom ? 'custom' : filters.period}
            onChange={({ currentTarget }) => {
              const period = PERIODS.find((name) => name === currentTarget.value);
              onChange(period === undefined ? { ...days } : { period, from: null, to: null });
            }}
          >
            {PERIODS.map((name) => (
              <option key={name} value={name}>
                {PERIOD_LABELS[name]}
              </option>
            ))}
            <option value="custom">From and to…</option>
          </select>
        )}
      </FilterField>
      <FilterField label="From">
        {(id) => (
          <input
            id={id}
            type="date"
            value={days.from}
            max={days.to}
            onChange={(event) => onChange({ from: event.currentTarget.value || null, to: days.to })}
          />
        )}
      </FilterField>
      <FilterField label="To">
        {(id) => (
          <input
            id={id}
            type="date"
            value={days.to}
            min={days.from}
            onChange={(event) => onChange({ from: days.from, to: event.currentTarget.value || null })}
          />
        )}
      </FilterField>
      <FilterField label="By">
        {(id) => (
          <select
            id={id}
            value={filters.by}
            onChange={({ currentTarget }) => onChange({ by: GROUPS.find((name) => name === currentTarget.value) ?? null })}
          >
            {GROUPS.map((name) => (
              <option key={name} value={name}>
                {GROUP_LABELS[name]}
              </option>
            ))}
          </select>
        )}
      </FilterField>
      <ZoneField value={zoneOf(filters)} onChange={(zone) => onChange({ zone })} />
      <FilterField label="As of" set={filters.asof !== ''}>
        {(id) => (
          <input
            id={id}
            type="datetime-local"
            value={filters.asof}
            title="Look at payments as they stood then; empty for now"
            onChange={(event) => onChange({ asof: event.currentTarget.value || null })}
          />
        )}
      </FilterField>
      {filters.asof !== '' && (
        <button type="button" className={classes.clear} onClick={() => onChange({ asof: null })}>
          As of now
        </button>
      )}
    </FilterBar>
  );
}

/** The time zone of days. The list of zones is the browser's own. */
function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const [zones, setZones] = useState<readonly string[]>([viewerZone(), 'UTC']);
  useEffect(() => setZones([...new Set([viewerZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])]), []);
  const known = zones.includes(value) ? zones : [...zones, value];
  return (
    <FilterField label="Zone">
      {(id) => (
        <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {known.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      )}
    </FilterField>
  );
}
