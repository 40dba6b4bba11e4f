'use client';

import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useMemo, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu } from '#/components/filter-bar/filter-bar.tsx';
import { isAnySet } from '#/components/list/list-parsers.ts';
import { HiddenByFilters, NothingListed } from '#/components/list/nothing-listed.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { DISPUTE_STATE_LABELS, DISPUTE_STATES, type Dispute } from '#/copy/disputes.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type DisputesFilters, filterParsers, toDisputeFilter } from '../filters.ts';
import { TimeLeft } from './time-left.tsx';
import { useDisputeAccounts, useDisputeCounts, useDisputes } from './use-disputes.ts';

const OpenDialog = dynamic(() => import('./open-dialog.tsx').then((module) => module.OpenDialog));

const STATE_CHOICES = DISPUTE_STATES.map((value) => ({ value, label: DISPUTE_STATE_LABELS[value].word }));

/** The disputes by deadline: those to answer first. */
export function DisputesPage() {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [opening, setOpening] = useState(false);
  const scope = useScope();
  const can = useCan();
  const accounts = useDisputeAccounts();
  const byHand = accounts.filter(({ road }) => road === 'hand');
  const gateways = [...new Set(accounts.map(({ gateway }) => gateway))].toSorted();
  const { state, gateway, q } = filters;
  const clear = isAnySet(filters) ? () => void setFilters({ state: null, gateway: null, q: null }) : null;
  const usual = q === '' ? 'Open' : '';
  return (
    <>
      <PageHead title="Disputes">
        <ExportButton list="disputes" filter={toDisputeFilter(scope, filters)} />
        {byHand.some(({ merchantId }) => can('reconciliation:resolve', merchantId)) && (
          <Button onClick={() => setOpening(true)}>Record a dispute…</Button>
        )}
      </PageHead>
      <Sums filters={filters} />
      <FilterBar onClear={clear}>
        <SearchField
          label="Search disputes"
          placeholder="ID, order, reference, e-mail"
          value={q}
          onSearch={(text) => void setFilters({ q: text === '' ? null : text })}
        />
        <FilterMenu
          label="Status"
          value={state.length === 0 ? usual : state.map((one) => DISPUTE_STATE_LABELS[one].word).join(', ')}
        >
          <CheckboxGroup
            label="Status"
            choices={STATE_CHOICES}
            values={[...state]}
            onChange={(next) => void setFilters({ state: next })}
          />
        </FilterMenu>
        <FilterMenu label="Gateway" value={gateway.map(gatewayTitle).join(', ')}>
          <CheckboxGroup
            label="Gateway"
            choices={gateways.map((value) => ({ value, label: gatewayTitle(value) }))}
            values={[...gateway]}
            onChange={(next) => void setFilters({ gateway: next })}
          />
        </FilterMenu>
      </FilterBar>
      <List filters={filters} onClear={clear} onShowFound={() => void setFilters({ state: null, gateway: null })} />
      <Roads />
      {opening && <OpenDialog onClose={() => setOpening(false)} />}
    </>
  );
}

/** Disputes, those that are due first. */
function List({
  filters,
  onClear,
  onShowFound,
}: {
  filters: DisputesFilters;
  onClear: (() => void) | null;
  onShowFound: () => void;
}) {
  const scope = useScope();
  const columns = useMemo(() => columnsFor(scope), [scope]);
  return (
    <NounTable
      label="Disputes"
      name="disputes"
      list={useDisputes(filters)}
      columns={columns}
      rowKey={(row) => row.disputeId}
      noun={['dispute', 'disputes']}
      empty={
        onClear !== null && isHiding(filters) ? (
          <HiddenByFilters
            text={filters.q}
            useRows={useDisputes}
            alone={{ q: filters.q, state: [], gateway: [] }}
            noun={['dispute', 'disputes']}
            onShow={onShowFound}
            onClear={onClear}
          />
        ) : (
          <NothingListed nouns="disputes" onClear={onClear} title="No open disputes">
            When a customer disputes a payment with their bank, it is listed here with the time left to respond. Decided disputes
            are one filter away.
          </NothingListed>
        )
      }
    />
  );
}

/** True if filters may hide what a search finds. */
function isHiding({ q, state, gateway }: DisputesFilters): boolean {
  return q.trim() !== '' && isAnySet({ state, gateway });
}

/** Open disputes in figures. */
function Sums({ filters }: { filters: DisputesFilters }) {
  const counts = useDisputeCounts(filters);
  const open = counts.filter(({ state }) => state === 'NEEDS_RESPONSE' || state === 'UNDER_REVIEW');
  if (open.length === 0) return null;
  return (
    <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
      {open.map(({ state, currency, count, amount }, at) => (
        <span key={`${state} ${currency}`}>
          {at > 0 && ' · '}
          <strong className="text-ink font-medium">{count.toLocaleString('en')}</strong>{' '}
          {state === 'NEEDS_RESPONSE' ? 'to respond to' : 'under review'}, {formatMoney(currency, amount)}
        </span>
      ))}
    </p>
  );
}

/** Accounts whose disputes are not read by themselves, or could not be read lately. */
function Roads() {
  const accounts = useDisputeAccounts();
  const byHand = [...new Set(accounts.filter(({ road }) => road === 'hand').map((account) => account.gatewayTitle))].toSorted();
  const failing = accounts.filter(({ failure }) => failure !== null);
  return (
    <div className="max-w-[90ch] mt-6 grid gap-1 text-ink-quiet text-sm">
      {failing.map(({ accountId, accountLabel, failure }) => (
        <p key={accountId} className="text-bad-ink">
          Disputes of {accountLabel} could not be read: {failure}
        </p>
      ))}
      {byHand.length > 0 && (
        <p>
          {new Intl.ListFormat('en').format(byHand)} {byHand.length === 1 ? 'documents' : 'document'} no list of disputes. Record
          here what the gateway’s dashboard or e-mails say.
        </p>
      )}
    </div>
  );
}

function columnsFor(scope: Scope): DataColumn<Dispute>[] {
  const withMerchants = scope.merchantId === null;
  return [
    {
      id: 'due',
      header: 'Time left',
      card: 'aside',
      className: 'tabular-nums',
      cell: (row) => <TimeLeft dispute={row} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      fixed: true,
      card: 'main',
      className: 'card:text-start',
      money: ({ currency, amount, disputeId }) => ({ currency, amount, href: hrefIn(scope, `/disputes/${disputeId}`) }),
    },
    {
      id: 'state',
      header: 'Status',
      card: 'second',
      badge: ({ state }) => DISPUTE_STATE_LABELS[state],
    },
    {
      id: 'kind',
      header: 'Type',
      look: 'quiet',
      priority: 5,
      cell: ({ category, stage }) => [category, stage].filter((word) => word !== null).join(', ') || '–',
    },
    {
      id: 'account',
      header: 'Account',
      card: 'third',
      cell: (row) => (
        <>
          {row.accountLabel}
          {row.paymentId === null && <span className="text-ink-quiet"> · not in the ledger</span>}
          {withMerchants && <span className="text-ink-quiet @max-[640px]/room:hidden"> · {row.merchantName}</span>}
        </>
      ),
    },
    {
      id: 'reference',
      header: 'Dispute',
      look: 'id',
      priority: 3,
      cell: ({ gatewayDisputeId }) => gatewayDisputeId,
    },
    {
      id: 'opened',
      header: 'Opened',
      look: 'quiet',
      priority: 2,
      moment: ({ openedAt }) => openedAt,
    },
  ];
}
