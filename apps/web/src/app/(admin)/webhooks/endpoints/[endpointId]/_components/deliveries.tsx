'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod, periodBounds } from '#/components/filter-bar/period.ts';
import { ListEnd } from '#/components/list/list-end.tsx';
import { listParsers } from '#/components/list/list-parsers.ts';
import { ListTools } from '#/components/list/list-tools.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { DELIVERY_LABELS, DELIVERY_STATES, describeAnswer, EVENT_LABELS } from '#/copy/webhooks.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { DELIVERY_ORDERS, filterParsers, toDeliveriesInput, toDeliveryFilter } from '../filters.ts';

/** A line of the list of deliveries. */
export type DeliveryRow = RouterOutputs['webhooks']['deliveries']['list']['deliveries'][number];

const REFRESH_MS = 4_000;
const PAGES_REFRESHED = 2;
const COUNTS_REFRESH_MS = 30_000;

const DELIVERY_LIST: ListDefinition = {
  page: 'deliveries',
  orders: DELIVERY_ORDERS,
  notSaved: ['delivery', 'do'],
};

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
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    trpc.webhooks.deliveries.list.infiniteQueryOptions(toDeliveriesInput({ merchantId, endpointId }, filters, sort), {
      getNextPageParam: (page) => page.next ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= PAGES_REFRESHED ? REFRESH_MS : false),
    }),
  );
  const { data: counts } = useQuery(
    trpc.webhooks.deliveries.counts.queryOptions(toDeliveryFilter({ merchantId, endpointId }, { ...filters, state: null }), {
      placeholderData: keepPreviousData,
      refetchInterval: COUNTS_REFRESH_MS,
    }),
  );
  const rows = useMemo(() => data?.pages.flatMap((page) => page.deliveries) ?? [], [data]);
  const columns = useMemo(() => columnsOf(onOpen), [onOpen]);
  const period = periodBounds({ from: filters.since, to: filters.until });
  const isFiltered = filters.state !== null || filters.q !== '' || filters.since !== '' || filters.until !== '';
  const more = () => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage().catch(() => null);
  };
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
      {error !== null && data === undefined && <p role="alert">{error.message}</p>}
      {data !== undefined && rows.length === 0 && (
        <p className="py-6 text-ink-quiet text-sm">
          {isFiltered
            ? 'No deliveries match these filters. Search by the whole ID of an event, a payment or a delivery.'
            : 'No deliveries yet. Send a test event to check that messages arrive.'}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Deliveries"
            name="deliveries"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.deliveryId}
            openKey={openId}
            sort={tools.sort}
            onSort={tools.setSort}
            onNearEnd={more}
          />
          <ListEnd
            loaded={rows.length}
            total={filters.state === null ? counts?.all : counts?.byState[filters.state]}
            noun={['delivery', 'deliveries']}
            hasMore={hasNextPage}
            loadingMore={isFetchingNextPage}
            onMore={more}
          />
        </>
      )}
    </section>
  );
}

function columnsOf(onOpen: (deliveryId: string) => void): DataColumn<DeliveryRow>[] {
  return [
    {
      id: 'type',
      header: 'Event',
      fixed: true,
      className: 'font-medium card:area-main card:text-base',
      cell: ({ type, deliveryId }) => (
        <button type="button" className="row-link font-medium" data-delivery={deliveryId} onClick={() => onOpen(deliveryId)}>
          {EVENT_LABELS[type]?.label ?? type}
        </button>
      ),
    },
    {
      id: 'payment',
      header: 'Payment',
      className: 'font-mono text-xs th:[font-family:inherit] @max-[560px]/room:hidden td:text-ink-quiet',
      cell: ({ paymentId }) => (paymentId === null ? '–' : <span title={paymentId}>…{paymentId.slice(-12)}</span>),
    },
    {
      id: 'state',
      header: 'Status',
      className: 'card:area-second',
      cell: ({ state }) => <DeliveryBadge state={state} />,
    },
    {
      id: 'answer',
      header: 'Last response',
      className: '@max-[780px]/room:hidden td:text-ink-quiet',
      cell: ({ lastStatus, lastFailure }) => describeAnswer({ status: lastStatus, failure: lastFailure }) ?? '–',
    },
    {
      id: 'attempts',
      header: 'Attempts',
      sortable: 'descending',
      className: 'tabular-nums text-end card:hidden',
      cell: ({ attempts }) => attempts,
    },
    {
      id: 'next',
      header: 'Next attempt',
      sortable: 'ascending',
      className: 'tabular-nums @max-[900px]/room:hidden td:text-ink-quiet',
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : <Moment value={nextAttemptAt} />),
    },
    {
      id: 'created',
      header: 'Created',
      sortable: 'descending',
      className: 'tabular-nums td:text-ink-quiet card:area-aside card:text-end',
      cell: ({ createdAt }) => <Moment value={createdAt} />,
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
