'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { showDay } from '#/components/date-field/date-text.ts';
import { FilterBar, FilterMenu } from '#/components/filter-bar/filter-bar.tsx';
import { Select } from '#/components/select/select.tsx';
import { whenIdle } from '#/components/when-idle.ts';
import { viewerZone } from '#/format/zone.ts';
import {
  type Days,
  GROUPS,
  type Group,
  PAYMENT_DATES,
  type PaymentDate,
  PERIOD_LABELS,
  PERIODS,
  type ReportFilters,
  zoneOf,
} from '../filters.ts';

const loadDates = () => import('#/components/date-field/date-field.tsx');
const DateRangeField = lazy(() => loadDates().then((module) => ({ default: module.DateRangeField })));
const DateTimeField = lazy(() => loadDates().then((module) => ({ default: module.DateTimeField })));

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

const DATE_LABELS: Readonly<Record<PaymentDate, string>> = { created: 'Created', paid: 'Paid', settled: 'Settled' };
const DATE_OPTIONS = PAYMENT_DATES.map((value) => ({ value, label: DATE_LABELS[value] }));
const GROUP_OPTIONS = GROUPS.map((value) => ({ value, label: GROUP_LABELS[value] }));
const PERIOD_OPTIONS = [
  ...PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] })),
  { value: 'custom', label: 'Custom dates' } as const,
];

/** A change of the URL; null clears a parameter. */
export type ReportChange = { [Name in keyof ReportFilters]?: ReportFilters[Name] | null };

/** The report's parameters: its days, their time zone, its grouping, and the instant it is taken at. */
export function ReportFilterBar({
  filters,
  days,
  currencies,
  currency,
  onChange,
}: {
  filters: ReportFilters;
  days: Days;
  /** The currencies in use. */
  currencies: readonly string[];
  currency: string;
  onChange: (change: ReportChange) => void;
}) {
  const zone = zoneOf(filters);
  return (
    <FilterBar onClear={null}>
      <PeriodFields filters={filters} days={days} onChange={onChange} />
      <Select
        label="Date"
        labelPlace="inside"
        options={DATE_OPTIONS}
        value={filters.date}
        onChange={(date) => onChange(date === 'created' ? { date: null } : { date, asof: null })}
      />
      <GroupField value={filters.by} onChange={(by) => onChange({ by })} />
      {(currencies.length > 1 || filters.currency !== '') && (
        <CurrencyField inUse={currencies} value={currency} onChange={(chosen) => onChange({ currency: chosen })} />
      )}
      <ZoneField value={zone} onChange={(next) => onChange({ zone: next })} />
      {filters.date === 'created' && (
        <>
          <FilterMenu label="As of" width={300} value={filters.asof === '' ? '' : describeInstant(filters.asof)}>
            <Suspense>
              <DateTimeField
                label="Show payments as they stood at"
                value={filters.asof}
                zone={zone}
                onChange={(asof) => onChange({ asof: asof === '' ? null : asof })}
              />
            </Suspense>
          </FilterMenu>
          {filters.asof !== '' && (
            <button type="button" className="h-8.5 px-2 text-accent-ink text-sm" onClick={() => onChange({ asof: null })}>
              As of now
            </button>
          )}
        </>
      )}
    </FilterBar>
  );
}

/** `23 Nov 2026, 14:30`, from `2026-11-23T14:30`. */
function describeInstant(text: string): string {
  const [day = '', time = ''] = text.split('T');
  return `${showDay(day)}, ${time}`;
}

/** A named period, or days of one's own, both inclusive. */
export function PeriodFields({
  filters,
  days,
  onChange,
}: {
  filters: Pick<ReportFilters, 'period' | 'from' | 'to' | 'zone'>;
  days: Days;
  onChange: (change: Pick<ReportChange, 'period' | 'from' | 'to'>) => void;
}) {
  const isCustom = filters.from !== '' || filters.to !== '';
  return (
    <>
      <Select
        label="Period"
        labelPlace="inside"
        options={PERIOD_OPTIONS}
        value={isCustom ? 'custom' : filters.period}
        onChange={(period) => onChange(period === 'custom' ? { ...days } : { period, from: null, to: null })}
      />
      {isCustom && (
        <FilterMenu width={300} label="Dates" value={`${showDay(days.from)} to ${showDay(days.to)}`}>
          <Suspense>
            <DateRangeField
              from={days.from}
              to={days.to}
              zone={zoneOf(filters)}
              onChange={({ from, to }) => onChange({ from: from || null, to: to || null })}
            />
          </Suspense>
        </FilterMenu>
      )}
    </>
  );
}

/** Field for the grouping of the rows. */
export function GroupField({ value, onChange }: { value: Group; onChange: (group: Group) => void }) {
  return <Select label="Group by" labelPlace="inside" options={GROUP_OPTIONS} value={value} onChange={onChange} />;
}

/** The currency of amounts: only payments in it are counted. */
export function CurrencyField({
  inUse,
  value,
  all = false,
  onChange,
}: {
  inUse: readonly string[];
  /** Empty for all of them, where `all` offers that. */
  value: string;
  all?: boolean;
  onChange: (currency: string) => void;
}) {
  const known = value === '' || inUse.includes(value) ? inUse : [...inUse, value];
  const options = known.map((currency) => ({ value: currency, label: currency }));
  return (
    <Select
      label="Currency"
      labelPlace="inside"
      options={all ? [{ value: '', label: 'All' }, ...options] : options}
      value={value}
      onChange={onChange}
    />
  );
}

/** The time zone of days. The list of zones is the browser's own. */
export function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const [zones, setZones] = useState<readonly string[]>([viewerZone(), 'UTC']);
  // The long list brings a search along, which would load before the figures.
  useEffect(() => {
    const gone = new AbortController();
    const showAll = () => setZones([...new Set([viewerZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])]);
    void whenIdle(gone.signal).then(showAll);
    return () => gone.abort();
  }, []);
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
