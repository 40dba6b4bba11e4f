'use client';

import { lazy } from 'react';
import { isFiltered, type PaymentFilters } from '#/app/(admin)/payments/filters.ts';
import { FilterBar as Bar, FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { FAILURE_LABELS } from '#/copy/failure-reasons.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { OUTCOME_PHRASES } from '#/copy/incident-impact.ts';
import { STATUS_LABELS } from '#/copy/payment-status.ts';
import { groupDecimal } from '#/format/amounts.ts';
import type { FilterChange } from './filter-choices.tsx';

const AmountFilter = lazy(() => import('./amount-filter.tsx').then((module) => ({ default: module.AmountFilter })));
const MoreFilters = lazy(() => import('./amount-filter.tsx').then((module) => ({ default: module.MoreFilters })));
const StatusChoices = lazy(() => import('./filter-choices.tsx').then((module) => ({ default: module.StatusChoices })));
const MethodChoices = lazy(() => import('./filter-choices.tsx').then((module) => ({ default: module.MethodChoices })));
const ReasonChoices = lazy(() => import('./filter-choices.tsx').then((module) => ({ default: module.ReasonChoices })));
const GatewayChoices = lazy(() => import('./filter-choices.tsx').then((module) => ({ default: module.GatewayChoices })));

const NONE: FilterChange = {
  status: null,
  gateway: null,
  method: null,
  min: null,
  max: null,
  rule: null,
  reason: null,
  account: null,
  fallback: null,
  affected: null,
  outcome: null,
  currency: null,
  customer: null,
  at: null,
  q: null,
  from: null,
  to: null,
  review: null,
  reversed: null,
  disputed: null,
};

/** The filters of the list. */
export function FilterBar({ filters, onChange }: { filters: PaymentFilters; onChange: (change: FilterChange) => void }) {
  const { status, review, reversed, disputed, from, to } = filters;
  const statusLabels = [
    ...status.map((name) => STATUS_LABELS[name].word),
    ...(review ? ['For review'] : []),
    ...(disputed ? ['Disputed'] : []),
    ...(reversed ? ['Reversed'] : []),
  ];
  return (
    <Bar onClear={isFiltered(filters) ? () => onChange(NONE) : null}>
      <SearchField
        label="Search payments"
        placeholder="ID, order, transaction, e-mail, phone"
        value={filters.q}
        onSearch={(q) => onChange({ q: q === '' ? null : q })}
      />
      <FilterMenu label="Status" value={statusLabels.join(', ')}>
        <StatusChoices filters={filters} onChange={onChange} />
      </FilterMenu>
      <FilterMenu label="Gateway" value={gatewayLabel(filters)}>
        <GatewayChoices filters={filters} onChange={onChange} />
      </FilterMenu>
      <FilterMenu label="Method" value={filters.method.map(methodLabel).join(', ')}>
        <MethodChoices filters={filters} onChange={onChange} />
      </FilterMenu>
      <FilterMenu label="Reason" value={filters.reason.map((reason) => FAILURE_LABELS[reason].word).join(', ')}>
        <ReasonChoices filters={filters} onChange={onChange} />
      </FilterMenu>
      <FilterMenu label="Amount" value={describeAmounts(filters.min, filters.max)}>
        <AmountFilter min={filters.min} max={filters.max} onChange={onChange} />
      </FilterMenu>
      <FilterMenu label="Created" value={describePeriod(from, to)}>
        <PeriodFilter from={from} to={to} onChange={onChange} />
      </FilterMenu>
      <FilterMenu
        label="More"
        value={[
          filters.customer,
          filters.rule === 'NONE' ? 'No rule' : filters.rule,
          filters.account === '' ? '' : 'One account',
          affectedLabel(filters),
          filters.currency,
        ]
          .filter((text) => text !== '')
          .join(', ')}
      >
        <MoreFilters customer={filters.customer} rule={filters.rule} onChange={onChange} />
      </FilterMenu>
    </Bar>
  );
}

function gatewayLabel({ gateway, at, fallback }: PaymentFilters): string {
  const opened = at === '' ? [] : [at === 'NONE' ? 'no checkout' : `checkout at ${gatewayTitle(at)}`];
  const fallen = fallback.map((name) => `fell back from ${gatewayTitle(name)}`);
  return [...gateway.map((name) => (name === 'NONE' ? 'None' : gatewayTitle(name))), ...opened, ...fallen].join(', ');
}

function affectedLabel({ affected, outcome }: PaymentFilters): string {
  if (affected.length === 0) return '';
  const incidents = affected.length === 1 ? 'Affected by an incident' : `Affected by ${affected.length} incidents`;
  return [incidents, ...outcome.map((name) => OUTCOME_PHRASES[name])].join(', ');
}

function methodLabel(method: string): string {
  return method === 'NONE' ? 'Not specified' : methodTitle(method);
}

/** `from 1,000`, `up to 5,000`, `1,000–5,000`; empty for any. */
function describeAmounts(min: number | null, max: number | null): string {
  const text = (amount: number) => groupDecimal(BigInt(amount));
  if (min !== null && max !== null) return min === max ? text(min) : `${text(min)}–${text(max)}`;
  if (min !== null) return `from ${text(min)}`;
  return max === null ? '' : `up to ${text(max)}`;
}
