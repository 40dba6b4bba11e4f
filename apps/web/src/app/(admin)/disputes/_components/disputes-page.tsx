'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useMemo, useState } from 'react';
import { ListFailed, PaymentsSkeleton } from '#/app/(admin)/payments/_components/list/payments-skeleton.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu } from '#/components/filter-bar/filter-bar.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import type { Pages } from '#/components/list/use-pages.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { DISPUTE_STATE_LABELS, DISPUTE_STATES, type Dispute } from '#/copy/disputes.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn, type Scope, scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type DisputesFilters, filterParsers } from '../filters.ts';
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
  const { state, gateway } = filters;
  const isFiltered = state.length > 0 || gateway.length > 0;
  return (
    <>
      <PageHead title="Disputes">
        <ExportButton list="disputes" filter={{ ...scopeFilter(scope), states: state, gateways: gateway }} />
        {byHand.length > 0 && can('reconciliation:resolve') && (
          <Button onClick={() => setOpening(true)}>Record a dispute…</Button>
        )}
      </PageHead>
      <Sums filters={filters} />
      <FilterBar onClear={isFiltered ? () => void setFilters({ state: null, gateway: null }) : null}>
        <FilterMenu
          label="Status"
          value={state.length === 0 ? 'Open' : state.map((one) => DISPUTE_STATE_LABELS[one].word).join(', ')}
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
      <List filters={filters} />
      <Roads />
      {opening && <OpenDialog onClose={() => setOpening(false)} />}
    </>
  );
}

function List({ filters }: { filters: DisputesFilters }) {
  const list = useDisputes(filters);
  if (list.state === 'loading') return <PaymentsSkeleton />;
  if (list.state === 'failed') return <ListFailed message={list.error?.message ?? ''} onRetry={list.refetch} />;
  if (list.rows.length > 0) return <DisputesTable list={list} />;
  if (filters.state.length > 0 || filters.gateway.length > 0)
    return <EmptyState title="No disputes match these filters">Clear a filter to see more.</EmptyState>;
  return (
    <EmptyState title="No open disputes">
      When a customer disputes a payment with their bank, it is listed here with the time left to answer. Decided disputes are one
      filter away.
    </EmptyState>
  );
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
          {state === 'NEEDS_RESPONSE' ? 'to answer' : 'under review'}, {formatMoney(currency, amount)}
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

/** Disputes, those that are due first. */
function DisputesTable({ list }: { list: Pages<Dispute> }) {
  const scope = useScope();
  const columns = useMemo(() => columnsFor(scope), [scope]);
  return (
    <>
      <DataTable
        label="Disputes"
        name="disputes"
        columns={columns}
        rows={list.rows}
        rowKey={(row) => row.disputeId}
        onNearEnd={list.more}
      />
      <ListEnd
        loaded={list.rows.length}
        noun={['dispute', 'disputes']}
        hasMore={list.hasMore}
        loadingMore={list.loadingMore}
        onMore={list.more}
      />
    </>
  );
}

function columnsFor(scope: Scope): DataColumn<Dispute>[] {
  const withMerchants = scope.merchantId === null;
  return [
    {
      id: 'due',
      header: 'Time left',
      className: 'card:area-aside tabular-nums',
      cell: (row) => <TimeLeft dispute={row} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      fixed: true,
      className: 'tabular-nums text-end card:area-main card:text-base card:text-start',
      cell: (row) => (
        <Link href={hrefIn(scope, `/disputes/${row.disputeId}`)} prefetch={false} className="row-link font-medium">
          {formatMoney(row.currency, row.amount)}
        </Link>
      ),
    },
    {
      id: 'state',
      header: 'Status',
      className: 'card:area-second',
      cell: ({ state }) => <Badge tone={DISPUTE_STATE_LABELS[state].tone}>{DISPUTE_STATE_LABELS[state].word}</Badge>,
    },
    {
      id: 'kind',
      header: 'Type',
      className: '@max-[1000px]/room:hidden td:text-ink-quiet',
      cell: ({ category, stage }) => [category, stage].filter((word) => word !== null).join(', ') || '–',
    },
    {
      id: 'account',
      header: 'Account',
      className: 'card:area-third',
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
      className: 'font-mono text-xs th:[font-family:inherit] td:text-ink-quiet @max-[760px]/room:hidden',
      cell: ({ gatewayDisputeId }) => gatewayDisputeId,
    },
    {
      id: 'opened',
      header: 'Opened',
      className: '@max-[640px]/room:hidden td:text-ink-quiet',
      cell: ({ openedAt }) => <Moment value={openedAt} />,
    },
  ];
}
