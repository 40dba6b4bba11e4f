'use client';

import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { DATE_LABELS } from '#/copy/fees.ts';
import { DATES, type FeesChange, type FeesFilters, isFiltered, NO_FILTERS } from '../filters.ts';
import { useContracts } from './use-fees.ts';

const DATE_CHOICES = DATES.map((value) => ({ value, label: DATE_LABELS[value].period }));

/** The accounts and the period of the fees, and what the period is of. */
export function FeeFilters({ filters, onChange }: { filters: FeesFilters; onChange: (change: FeesChange) => void }) {
  const { account, date, from, to } = filters;
  const accounts = useContracts();
  const merchants = new Set(accounts.map(({ merchantId }) => merchantId)).size;
  const choices = accounts.map(({ accountId, accountLabel, merchantName }) => ({
    value: accountId,
    label: merchants > 1 ? `${accountLabel} · ${merchantName}` : accountLabel,
  }));
  const names = choices.filter(({ value }) => account.includes(value)).map(({ label }) => label);
  return (
    <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
      <FilterMenu label="Account" value={names.length > 2 ? `${names.length} accounts` : names.join(', ')}>
        <CheckboxGroup label="Account" choices={choices} values={account} onChange={(next) => onChange({ account: next })} />
      </FilterMenu>
      <FilterMenu label="Date" value={DATE_LABELS[date].period}>
        <RadioGroup label="Date" choices={DATE_CHOICES} value={date} onChange={(next) => onChange({ date: next })} />
      </FilterMenu>
      <FilterMenu label={`${DATE_LABELS[date].period} on`} value={describePeriod(from, to)}>
        <PeriodFilter from={from} to={to} onChange={onChange} />
      </FilterMenu>
    </FilterBar>
  );
}
