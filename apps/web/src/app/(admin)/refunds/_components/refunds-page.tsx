'use client';

import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { addCounts } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import {
  APPROVAL_LABELS,
  APPROVAL_STATES,
  CHARGE_LABELS,
  CHARGE_STATES,
  type ChargeState,
  REFUND_LABELS,
  REFUND_STATES,
  type RefundState,
} from '#/copy/refunds.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useGateways } from '#/scope/use-gateways.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCanHere } from '#/trpc/use-can.ts';
import {
  approvalStates,
  chargeStates,
  isFiltered,
  type MoneyFilters,
  moneyParsers,
  NO_FILTERS,
  REFUND_ORDERS,
  refundStates,
  type Tab,
  TIME_ORDERS,
  toMoneyFilter,
} from '../filters.ts';
import { ApprovalList } from './approval-list.tsx';
import { DuplicateList } from './duplicate-list.tsx';
import { RefundList } from './refund-list.tsx';
import { ReviewList } from './review-list.tsx';
import { useChargeCounts, useRefundCounts } from './use-refunds.ts';

/** The lists of the refunds page. */
const MONEY_LISTS: Readonly<Record<Tab, ListDefinition>> = {
  refunds: { page: 'refunds', orders: REFUND_ORDERS },
  approvals: { page: 'refund-approvals', orders: REFUND_ORDERS },
  duplicates: { page: 'duplicate-charges', orders: TIME_ORDERS },
  reviews: { page: 'reviews', orders: TIME_ORDERS },
};

const TAB_CHOICES: readonly { value: Tab; label: string }[] = [
  { value: 'refunds', label: 'Refunds' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'duplicates', label: 'Duplicate payments' },
  { value: 'reviews', label: 'Reviews' },
];

/** Refunds, duplicate charges and reviews. */
export function RefundsPage() {
  const [filters, setFilters] = useQueryStates(moneyParsers);
  const { tab } = filters;
  const scope = useScope();
  const mayRefund = useCanHere()('payment:refund');
  const tools = useList(MONEY_LISTS[tab]);
  const counts = useRefundCounts(filters, tab === 'refunds');
  const chargeCounts = useChargeCounts(filters, tab === 'duplicates');
  const chosen = refundStates(filters);
  const chosenCharges = chargeStates(filters);
  const clear = () => void setFilters(NO_FILTERS);
  const showFound = () => void setFilters({ ...NO_FILTERS, q: filters.q });
  return (
    <>
      <PageHead title="Refunds">
        {tab === 'refunds' && mayRefund && (
          <Link className="text-sm" href={hrefIn(scope, '/refunds/bulk')}>
            Refund from a file
          </Link>
        )}
        <ListTools list={tools}>
          <ExportMoney filters={filters} />
        </ListTools>
      </PageHead>
      <Tabs
        label="List"
        tabs={TAB_CHOICES}
        value={tab}
        onChange={(next) => {
          tools.reset();
          void setFilters({ tab: next, state: null }, { history: 'push' });
        }}
      >
        <p className="max-w-[110ch] mb-3 text-ink-quiet text-sm leading-[1.5]">{DESCRIPTIONS[tab]}</p>
        {tab === 'refunds' && (
          <StatusTabs
            label="Status"
            tabs={REFUND_STATES.map((value) => ({ value, label: REFUND_LABELS[value].word, count: counts?.byState[value] }))}
            all={counts?.all}
            chosen={chosen}
            onChange={(state) => void setFilters({ state: state === null ? null : [state] })}
          />
        )}
        {tab === 'approvals' && (
          <StatusTabs
            label="Status"
            tabs={APPROVAL_STATES.map((value) => ({ value, label: APPROVAL_LABELS[value].word, count: undefined }))}
            all={undefined}
            chosen={approvalStates(filters)}
            onChange={(state) => void setFilters({ state: state === null ? null : [state] })}
          />
        )}
        {tab === 'duplicates' && (
          <StatusTabs
            label="Status"
            tabs={CHARGE_STATES.map((value) => ({
              value,
              label: CHARGE_LABELS[value].word,
              count: chargeCounts?.byState[value],
            }))}
            all={chargeCounts?.all}
            chosen={chosenCharges}
            onChange={(state) => void setFilters({ state: state === null ? null : [state] })}
          />
        )}
        <MoneyFilterBar filters={filters} onChange={(change) => void setFilters(change)} onClear={clear} />
        {tab === 'refunds' && (
          <RefundList
            filters={filters}
            tools={tools}
            total={chosen.length === 0 ? counts?.all : addCounts(chosen.map((state) => counts?.byState[state]))}
            onClear={clear}
            onShowFound={showFound}
          />
        )}
        {tab === 'approvals' && <ApprovalList filters={filters} tools={tools} onClear={clear} onShowFound={showFound} />}
        {tab === 'duplicates' && (
          <DuplicateList
            filters={filters}
            tools={tools}
            total={
              chosenCharges.length === 0
                ? chargeCounts?.all
                : addCounts(chosenCharges.map((state) => chargeCounts?.byState[state]))
            }
            onClear={clear}
            onShowFound={showFound}
          />
        )}
        {tab === 'reviews' && <ReviewList filters={filters} tools={tools} onClear={clear} onShowFound={showFound} />}
      </Tabs>
    </>
  );
}

function ExportMoney({ filters }: { filters: MoneyFilters }) {
  const filter = toMoneyFilter(useScope(), filters);
  switch (filters.tab) {
    case 'refunds':
      return <ExportButton list="refunds" filter={{ ...filter, states: refundStates(filters) }} />;
    case 'duplicates':
      return <ExportButton list="duplicate-charges" filter={{ ...filter, states: chargeStates(filters) }} />;
    case 'approvals':
    case 'reviews':
      return null;
    default:
      return filters.tab satisfies never;
  }
}

const DESCRIPTIONS: Readonly<Record<Tab, string>> = {
  refunds: 'Every refund, tracked until its gateway confirms it. Refund a payment from its own page.',
  approvals:
    'Refunds above the amount for which a merchant requires a second person. They are requested once another person who may approve refunds does so.',
  duplicates: 'Money received for payments that were already paid. Refund it in full through the gateway that received it.',
  reviews:
    'Amounts received that do not match their order. Refund the amount or close the review; the payment is not marked Succeeded.',
};

type State = RefundState | ChargeState;

/** A change of the filters; null clears one. */
interface MoneyFilterChange {
  state?: State[] | null;
  gateway?: string[] | null;
  payment?: string | null;
  q?: string | null;
  from?: string | null;
  to?: string | null;
}

/** The filters of the lists. */
function MoneyFilterBar({
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
      <SearchField
        label="Search refunds"
        placeholder="ID, order, reference, e-mail"
        value={filters.q}
        onSearch={(q) => onChange({ q: q === '' ? null : q })}
      />
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
