'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod, periodBounds } from '#/components/filter-bar/period.ts';
import { listParsers } from '#/components/list/list-parsers.ts';
import { ListTools } from '#/components/list/list-tools.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { DELIVERY_LABELS, DELIVERY_STATES, describeAnswer, EVENT_LABELS } from '#/copy/webhooks.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import {
  DELIVERIES_REFRESH_MS,
  DELIVERY_ORDERS,
  type DeliveryFilters,
  deliveriesQuery,
  filterParsers,
  toDeliveryFilter,
} from '../filters.ts';

/** A line of the list of deliveries. */
export type DeliveryRow = RouterOutputs['webhooks']['deliveries']['list']['items'][number];

const DELIVERY_LIST: ListDefinition = {
  page: 'deliveries',
  orders: DELIVERY_ORDERS,
  notSaved: ['delivery', 'do'],
};

/** The numbers of deliveries to an endpoint by state, as old as the list: all that a page counts of the same deliveries is this query. */
export function useDeliveryCounts(of: { merchantId: string; endpointId: string }, filters: DeliveryFilters) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.webhooks.deliveries.counts.queryOptions(toDeliveryFilter(of, filters), {
      placeholderData: keepPreviousData,
      refetchInterval: DELIVERIES_REFRESH_MS,
    }),
  );
  return data;
}

/** Deliveries to an endpoint, sent and pending. */
export function Deliveries({
  merchantId,
  endpointId,
  openId,
  onOpen,
}: {
  merchantId: string;
  endpointId: string;
  openId: string | null;
  onOpen: (deliveryId: string) => void;
}) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ sort }] = useQueryStates({ sort: listParsers.sort });
  const tools = useList(DELIVERY_LIST);
  const list = useNounList(deliveriesQuery(trpc, { merchantId, endpointId }, filters, sort));
  const counts = useDeliveryCounts({ merchantId, endpointId }, { ...filters, state: null });
  const columns = useMemo(() => columnsOf(onOpen), [onOpen]);
  const period = periodBounds({ from: filters.since, to: filters.until });
  const isFiltered = filters.state !== null || filters.q !== '' || filters.since !== '' || filters.until !== '';
  return (
    <section className="mt-8" aria-label="Deliveries">
      <h2 className="mb-2 text-base font-semibold">Deliveries</h2>
      <StatusTabs
        label="Status"
        tabs={DELIVERY_STATES.map((value) => ({
          value,
          label: DELIVERY_LABELS[value].word,
          count: counts?.byState[value],
        }))}
        all={counts?.all}
        chosen={filters.state === null ? [] : [filters.state]}
        onChange={(state) => void setFilters({ state })}
      />
      <div className="flex flex-wrap gap-x-3 gap-y-2 items-center mb-2">
        <SearchField
          label="Search by event or payment id"
          placeholder="ID of an event or a payment"
          value={filters.q}
          onSearch={(text) => void setFilters({ q: text })}
        />
        <FilterMenu label="Created" value={describePeriod(filters.since, filters.until)}>
          <PeriodFilter
            from={filters.since}
            to={filters.until}
            onChange={({ from, to }) => void setFilters({ since: from, until: to })}
          />
        </FilterMenu>
        <ListTools list={tools}>
          <ExportButton
            list="webhook-deliveries"
            filter={{
              merchantIds: [merchantId],
              mode,
              endpointId,
              states: filters.state === null ? [] : [filters.state],
              about: filters.q.trim() === '' ? null : filters.q.trim(),
              createdFrom: period.first,
              createdTo: period.end,
            }}
          />
        </ListTools>
      </div>
      <NounTable
        label="Deliveries"
        name="deliveries"
        list={list}
        tools={tools}
        columns={columns}
        rowKey={(row) => row.deliveryId}
        openKey={openId}
        noun={['delivery', 'deliveries']}
        total={filters.state === null ? counts?.all : counts?.byState[filters.state]}
        empty={
          <p className="py-6 text-ink-quiet text-sm">
            {isFiltered
              ? 'No deliveries match these filters. Search by the whole ID of an event, a payment or a delivery.'
              : 'No deliveries yet. Send a test event to check that messages arrive.'}
          </p>
        }
      />
    </section>
  );
}

function columnsOf(onOpen: (deliveryId: string) => void): DataColumn<DeliveryRow>[] {
  return [
    {
      id: 'type',
      header: 'Event',
      fixed: true,
      look: 'strong',
      card: 'main',
      cell: ({ type, deliveryId }) => (
        <button type="button" className="row-link font-medium" data-delivery={deliveryId} onClick={() => onOpen(deliveryId)}>
          {EVENT_LABELS[type]?.label ?? type}
        </button>
      ),
    },
    {
      id: 'payment',
      header: 'Payment',
      look: 'id',
      priority: 2,
      cell: ({ paymentId }) => (paymentId === null ? '–' : <span title={paymentId}>…{paymentId.slice(-12)}</span>),
    },
    {
      id: 'state',
      header: 'Status',
      card: 'second',
      badge: ({ state }) => DELIVERY_LABELS[state],
    },
    {
      id: 'answer',
      header: 'Last response',
      look: 'quiet',
      priority: 3,
      cell: ({ lastStatus, lastFailure }) => describeAnswer({ status: lastStatus, failure: lastFailure }) ?? '–',
    },
    {
      id: 'attempts',
      header: 'Attempts',
      sortable: 'descending',
      look: 'number',
      card: 'hidden',
      cell: ({ attempts }) => attempts,
    },
    {
      id: 'next',
      header: 'Next attempt',
      sortable: 'ascending',
      priority: 4,
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : <Moment value={nextAttemptAt} tense="upcoming" />),
    },
    {
      id: 'created',
      header: 'Created',
      sortable: 'descending',
      card: 'aside',
      moment: ({ createdAt }) => createdAt,
    },
  ];
}

/** The state of a delivery in a word, with its meaning on hover. */
export function DeliveryBadge({ state }: { state: DeliveryRow['state'] }) {
  const { word, tone, meaning } = DELIVERY_LABELS[state];
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}
