'use client';

import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, filterClass, filterValueClass } from '#/components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '#/components/filter-bar/filter-menu.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { PeriodFilter } from '#/components/filter-bar/period-filter.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { OUTCOME_LABELS, REQUEST_OUTCOMES } from '#/copy/requests.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { isFiltered, NO_FILTERS, type RequestFilters } from '../filters.ts';

const OUTCOMES = REQUEST_OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value] }));
const METHODS = ['GET', 'POST', 'HEAD'].map((value) => ({ value, label: value }));

/** The filters of requests. Keys are of the merchant that is chosen in the bar above. */
export function RequestFilterBar({
  filters,
  onChange,
}: {
  filters: RequestFilters;
  onChange: (change: { [Name in keyof RequestFilters]?: RequestFilters[Name] | null }) => void;
}) {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const of = { merchantId: merchantId ?? '', mode };
  const { data: keys } = useQuery(trpc.keys.list.queryOptions(of, { staleTime: 60_000, enabled: merchantId !== null }));
  const keyChoices = keys?.map(({ keyId, name, lastFour }) => ({ value: keyId, label: `${name} …${lastFour}` })) ?? [];
  const { outcome, method, key, q, payment, from, to } = filters;
  return (
    <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
      <SearchField
        label="Search by request id or path"
        placeholder="Request ID or path"
        value={q}
        onSearch={(text) => onChange({ q: text === '' ? null : text })}
      />
      <FilterMenu label="Status" value={outcome.map((one) => OUTCOME_LABELS[one]).join(', ')}>
        <CheckboxGroup
          label="Status"
          variant="menu"
          choices={OUTCOMES}
          values={outcome}
          onChange={(next) => onChange({ outcome: next })}
        />
      </FilterMenu>
      <FilterMenu label="Method" value={method.join(', ')}>
        <CheckboxGroup
          label="Method"
          variant="menu"
          choices={METHODS}
          values={method}
          onChange={(next) => onChange({ method: next })}
        />
      </FilterMenu>
      {keyChoices.length > 0 && (
        <FilterMenu label="Key" value={keyChoices.flatMap(({ value, label }) => (key.includes(value) ? label : [])).join(', ')}>
          <CheckboxGroup
            label="Key"
            variant="menu"
            choices={keyChoices}
            values={key}
            onChange={(next) => onChange({ key: next })}
          />
        </FilterMenu>
      )}
      <FilterMenu width={280} label="Time" value={describePeriod(from, to)}>
        <PeriodFilter from={from} to={to} onChange={onChange} />
      </FilterMenu>
      {payment !== '' && (
        <button type="button" className={filterClass} data-set="true" onClick={() => onChange({ payment: null })}>
          <span className={filterValueClass}>First 10 minutes of payment …{payment.slice(-6)}</span>
          <IconX size={14} stroke={1.7} aria-label="Remove this filter" />
        </button>
      )}
    </FilterBar>
  );
}
