'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { DateRangeField } from '../../../../../components/date-field/date-field.tsx';
import { showDay } from '../../../../../components/date-field/date-text.ts';
import { FilterBar, FilterField } from '../../../../../components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '../../../../../components/filter-bar/filter-menu.tsx';
import { Select } from '../../../../../components/select/select.tsx';
import { statusLabel } from '../../../../../copy/discrepancies.ts';
import { gatewayTitle, METHOD_NAMES, methodTitle } from '../../../../../copy/gateways.ts';
import { viewerZone } from '../../../../../format/zone.ts';
import { useScope } from '../../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../../trpc/client.tsx';
import { GROUP_LABELS } from '../../../reports/_components/report-filters.tsx';
import { type Days, PERIOD_LABELS, PERIODS } from '../../../reports/days.ts';
import { GROUPS, zoneOf } from '../../../reports/filters.ts';
import type { ExplorerChange, ExplorerFilters } from '../filters.ts';
import type { ReadyQuery } from '../ready-queries.ts';
import classes from './explorer-page.module.css';

/** The parameters of a ready query. */
export function QueryForm({
  query,
  filters,
  days,
  onChange,
}: {
  query: ReadyQuery;
  filters: ExplorerFilters;
  days: Days;
  onChange: (change: ExplorerChange) => void;
}) {
  const isCustom = filters.from !== '' || filters.to !== '';
  const has = (name: ReadyQuery['parameters'][number]) => query.parameters.includes(name);
  const isSet = [filters.gateway, filters.method, filters.status].some((values) => values.length > 0);
  return (
    <FilterBar onClear={isSet ? () => onChange({ gateway: null, method: null, status: null }) : null}>
      <FilterField label="Period">
        {(id) => (
          <select
            id={id}
            value={isCustom ? 'custom' : filters.period}
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
            <option value="custom">Custom dates…</option>
          </select>
        )}
      </FilterField>
      {isCustom && <CustomDays days={days} zone={zoneOf(filters)} onChange={onChange} />}
      {has('by') && (
        <FilterField label="Group by">
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
      )}
      {has('gateway') && <GatewayFilter values={filters.gateway} onChange={(gateway) => onChange({ gateway })} />}
      {has('method') && (
        <Options
          label="Method"
          options={METHOD_NAMES}
          titleOf={methodTitle}
          values={filters.method}
          onChange={(method) => onChange({ method })}
        />
      )}
      {has('status') && (
        <Options
          label="Status"
          options={query.statuses}
          titleOf={statusLabel}
          values={filters.status}
          onChange={(status) => onChange({ status })}
        />
      )}
      <ZoneField value={zoneOf(filters)} onChange={(zone) => onChange({ zone })} />
    </FilterBar>
  );
}

function CustomDays({ days, zone, onChange }: { days: Days; zone: string; onChange: (change: ExplorerChange) => void }) {
  return (
    <FilterMenu width={300} label="Dates" value={`${showDay(days.from)} to ${showDay(days.to)}`}>
      <div className={classes.options}>
        <DateRangeField
          from={days.from}
          to={days.to}
          zone={zone}
          onChange={({ from, to }) => onChange({ from: from || null, to: to || null })}
        />
      </div>
    </FilterMenu>
  );
}

/** The gateways of the accounts of the merchants shown. */
function GatewayFilter({ values, onChange }: { values: string[]; onChange: (values: string[] | null) => void }) {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const { data = [] } = useQuery(trpc.reconciliation.accounts.queryOptions({ merchantId, mode }, { staleTime: 60_000 }));
  const gateways = [...new Set([...data.map(({ gateway }) => gateway), ...values])].sort();
  return <Options label="Gateway" options={gateways} titleOf={gatewayTitle} values={values} onChange={onChange} />;
}

function Options({
  label,
  options,
  titleOf,
  values,
  onChange,
}: {
  label: string;
  options: readonly string[];
  titleOf: (value: string) => string;
  values: string[];
  onChange: (values: string[] | null) => void;
}) {
  function toggle(value: string, on: boolean) {
    const next = on ? [...values, value] : values.filter((known) => known !== value);
    onChange(next.length === 0 ? null : next);
  }
  return (
    <FilterMenu width={220} label={label} value={values.map(titleOf).join(', ')}>
      <div className={classes.options}>
        {options.map((value) => (
          <label key={value} className={classes.option}>
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
            />
            {titleOf(value)}
          </label>
        ))}
        {options.length === 0 && 'Nothing to select yet.'}
      </div>
    </FilterMenu>
  );
}

/** The time zone of days. The list of zones is the browser's own. */
function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const [zones, setZones] = useState<readonly string[]>([viewerZone(), 'UTC']);
  useEffect(() => setZones([...new Set([viewerZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])]), []);
  const known = zones.includes(value) ? zones : [...zones, value];
  return (
    <Select
      label="Zone"
      labelPlace="inside"
      options={known.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      onChange={onChange}
    />
  );
}
