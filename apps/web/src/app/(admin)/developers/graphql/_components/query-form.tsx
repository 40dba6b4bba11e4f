'use client';

import { useQuery } from '@tanstack/react-query';
import { CurrencyField, GroupField, PeriodFields, ZoneField } from '#/app/(admin)/reports/_components/report-filters.tsx';
import type { Days } from '#/app/(admin)/reports/days.ts';
import { zoneOf } from '#/app/(admin)/reports/filters.ts';
import { FilterBar } from '#/components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '#/components/filter-bar/filter-menu.tsx';
import { statusLabel } from '#/copy/discrepancies.ts';
import { gatewayTitle, METHOD_NAMES, methodTitle } from '#/copy/gateways.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { ExplorerChange, ExplorerFilters } from '../filters.ts';
import type { ReadyQuery } from '../ready-queries.ts';

/** The parameters of a ready query. */
export function QueryForm({
  query,
  filters,
  days,
  currencies,
  currency,
  onChange,
}: {
  query: ReadyQuery;
  filters: ExplorerFilters;
  days: Days;
  /** The currencies in use. */
  currencies: readonly string[];
  /** Empty for all. */
  currency: string;
  onChange: (change: ExplorerChange) => void;
}) {
  const has = (name: ReadyQuery['parameters'][number]) => query.parameters.includes(name);
  const isSet = [filters.gateway, filters.method, filters.status].some((values) => values.length > 0);
  return (
    <FilterBar onClear={isSet ? () => onChange({ gateway: null, method: null, status: null }) : null}>
      <PeriodFields filters={filters} days={days} onChange={onChange} />
      {has('by') && <GroupField value={filters.by} onChange={(by) => onChange({ by })} />}
      {has('currency') && (
        <CurrencyField
          inUse={currencies}
          value={currency}
          all={query.currency !== null}
          onChange={(chosen) => onChange({ currency: chosen })}
        />
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
      <div className="grid gap-1 max-h-[280px] p-1 overflow-auto text-sm">
        {options.map((value) => (
          <label key={value} className="flex gap-2 items-center min-h-7">
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
