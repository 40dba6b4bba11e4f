'use client';

import { IconSearch, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { FilterBar as Bar } from '../../../../components/filter-bar/filter-bar.tsx';
import { FilterMenu } from '../../../../components/filter-bar/filter-menu.tsx';
import { describePeriod } from '../../../../components/filter-bar/period.ts';
import { PeriodFilter } from '../../../../components/filter-bar/period-filter.tsx';
import { FAILURE_LABELS } from '../../../../copy/failure-reasons.ts';
import { gatewayTitle, methodTitle } from '../../../../copy/gateways.ts';
import { STATUS_LABELS } from '../../../../copy/payment-status.ts';
import { isFiltered, type PaymentFilters } from '../filters.ts';
import { describeAmounts } from './describe-amounts.ts';
import classes from './filter-bar.module.css';
import type { FilterChange } from './filter-change.ts';

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
  customer: null,
  at: null,
  q: null,
  from: null,
  to: null,
  review: null,
};

/** The filters of the list. */
export function FilterBar({ filters, onChange }: { filters: PaymentFilters; onChange: (change: FilterChange) => void }) {
  const { status, review, from, to } = filters;
  const statusLabels = [...status.map((name) => STATUS_LABELS[name].word), ...(review ? ['For review'] : [])];
  return (
    <Bar onClear={isFiltered(filters) ? () => onChange(NONE) : null}>
      <SearchField value={filters.q} onSearch={(q) => onChange({ q: q === '' ? null : q })} />
      <FilterMenu label="Status" value={statusLabels.join(', ')}>
        <Suspense fallback={<div className={classes.coming} role="status" aria-label="Loading the choices" />}>
          <StatusChoices filters={filters} onChange={onChange} />
        </Suspense>
      </FilterMenu>
      <FilterMenu label="Gateway" value={gatewayLabel(filters)}>
        <Suspense fallback={<div className={classes.coming} role="status" aria-label="Loading the choices" />}>
          <GatewayChoices filters={filters} onChange={onChange} />
        </Suspense>
      </FilterMenu>
      <FilterMenu label="Method" value={filters.method.map(methodLabel).join(', ')}>
        <Suspense fallback={<div className={classes.coming} role="status" aria-label="Loading the choices" />}>
          <MethodChoices filters={filters} onChange={onChange} />
        </Suspense>
      </FilterMenu>
      <FilterMenu label="Reason" value={filters.reason.map((reason) => FAILURE_LABELS[reason].word).join(', ')}>
        <Suspense fallback={<div className={classes.coming} role="status" aria-label="Loading the choices" />}>
          <ReasonChoices filters={filters} onChange={onChange} />
        </Suspense>
      </FilterMenu>
      <FilterMenu label="Amount" value={describeAmounts(filters.min, filters.max)}>
        <Suspense fallback={<div className={classes.coming} role="status" aria-label="Loading the choices" />}>
          <AmountFilter min={filters.min} max={filters.max} onChange={onChange} />
        </Suspense>
      </FilterMenu>
      <FilterMenu label="Created" value={describePeriod(from, to)}>
        <PeriodFilter from={from} to={to} onChange={onChange} />
      </FilterMenu>
      <FilterMenu
        label="More"
        value={[filters.customer, filters.rule === 'NONE' ? 'No rule' : filters.rule, filters.account === '' ? '' : 'One account']
          .filter((text) => text !== '')
          .join(', ')}
      >
        <Suspense fallback={<div className={classes.coming} role="status" aria-label="Loading the choices" />}>
          <MoreFilters customer={filters.customer} rule={filters.rule} onChange={onChange} />
        </Suspense>
      </FilterMenu>
    </Bar>
  );
}

function gatewayLabel({ gateway, at }: PaymentFilters): string {
  const opened = at === '' ? [] : [at === 'NONE' ? 'no checkout' : `checkout at ${gatewayTitle(at)}`];
  return [...gateway.map((name) => (name === 'NONE' ? 'None' : gatewayTitle(name))), ...opened].join(', ');
}

function methodLabel(method: string): string {
  return method === 'NONE' ? 'Not specified' : methodTitle(method);
}

const PAUSE_MS = 350;

/** Searches when typing pauses, at once on Enter. */
function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  // Going back or clearing the filters changes the address; the field follows.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <IconSearch size={16} stroke={1.7} className={classes.glass} aria-hidden="true" />
      <input
        className={classes.input}
        aria-label="Search payments"
        placeholder="ID, order, transaction, e-mail, phone"
        type="search"
        value={text}
        maxLength={320}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text !== '' && (
        <button type="button" className={classes.clear} aria-label="Clear the search" onClick={() => onSearch('')}>
          <IconX size={14} stroke={2} aria-hidden="true" />
        </button>
      )}
    </form>
  );
}
