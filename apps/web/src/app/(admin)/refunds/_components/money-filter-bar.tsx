'use client';

import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar } from '#/components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '#/components/filter-bar/filter-menu.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { PeriodFilter } from '#/components/filter-bar/period-filter.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import {
  CHARGE_LABELS,
  CHARGE_STATES,
  type ChargeState,
  REFUND_LABELS,
  REFUND_STATES,
  type RefundState,
} from '#/copy/refunds.ts';
import { useGateways } from '#/scope/use-gateways.ts';
import { isFiltered, type MoneyFilters } from '../filters.ts';

type State = RefundState | ChargeState;

/** A change of the filters; null clears one. */
export interface MoneyFilterChange {
  state?: State[] | null;
  gateway?: string[] | null;
  payment?: string | null;
  from?: string | null;
  to?: string | null;
}

/** The filters of the lists. */
export function MoneyFilterBar({
  filters,
  onChange,
  onClear,
}: {
  filters: MoneyFilters;
  onChange: (change: MoneyFilterChange) => void;
  onClear: () => void;
}) {
  const { tab, gateway, payment, from, to } = filters;
  const states = statesOf(tab);
  const chosen = states.filter(({ value }) => filters.state.includes(value));
  return (
    <FilterBar onClear={isFiltered(filters) ? onClear : null}>
      {states.length > 0 && (
        <FilterMenu label="Status" value={chosen.map(({ label }) => label).join(', ')}>
          <CheckboxGroup
            label="Status"
            choices={states}
            values={chosen.map(({ value }) => value)}
            onChange={(state) => onChange({ state })}
          />
        </FilterMenu>
      )}
      <FilterMenu label="Gateway" value={gateway.map(gatewayTitle).join(', ')}>
        <GatewayTicks chosen={gateway} onChange={onChange} />
      </FilterMenu>
      <FilterMenu label="Created" value={describePeriod(from, to)}>
        <PeriodFilter from={from} to={to} onChange={onChange} />
      </FilterMenu>
      {payment !== '' && <span className="text-accent-ink text-sm font-medium">One payment</span>}
    </FilterBar>
  );
}

function statesOf(tab: MoneyFilters['tab']): readonly { value: State; label: string }[] {
  if (tab === 'refunds') return REFUND_STATES.map((value) => ({ value, label: REFUND_LABELS[value].word }));
  if (tab === 'duplicates') return CHARGE_STATES.map((value) => ({ value, label: CHARGE_LABELS[value].word }));
  return [];
}

/** The gateways the merchants have accounts at, and those already chosen. */
function GatewayTicks({ chosen, onChange }: { chosen: readonly string[]; onChange: (change: MoneyFilterChange) => void }) {
  const choices = [...new Set([...useGateways(), ...chosen])].map((value) => ({ value, label: gatewayTitle(value) }));
  return <CheckboxGroup label="Gateway" choices={choices} values={chosen} onChange={(gateway) => onChange({ gateway })} />;
}
