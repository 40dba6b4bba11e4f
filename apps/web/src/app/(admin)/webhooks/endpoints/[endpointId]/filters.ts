import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { periodBounds } from '#/components/filter-bar/period.ts';
import { type FiltersOf, type ListSort, listParsers, readSort } from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { DELIVERY_STATES } from '#/copy/webhooks.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The filters of the list of deliveries in the URL. */
export const filterParsers = {
  state: parseAsStringLiteral(DELIVERY_STATES),
  q: parseAsString.withDefault(''),
  /** Days, both inclusive: `2026-11-21`, `today-6`. */
  since: parseAsString.withDefault(''),
  until: parseAsString.withDefault(''),
};

/** The delivery open beside the list. */
export const panelParser = { delivery: parseAsString };

/** The open dialog. */
export const dialogParser = {
  do: parseAsStringLiteral(['resend', 'edit', 'rotate', 'off', 'remove'] as const),
  from: parseAsString,
};

/** Reads the page's state from the URL, on the server. */
export const loadEndpointPage = createLoader({ ...filterParsers, ...panelParser, sort: listParsers.sort });

/** The filters of an endpoint's deliveries; null and empty match any. */
export type DeliveryFilters = FiltersOf<typeof filterParsers>;

const PAGE = 50;

/** The filters as the server takes them. */
export function toDeliveryFilter(
  key: { readonly merchantId: string; readonly endpointId: string },
  { state, q, since, until }: DeliveryFilters,
) {
  const { first, end } = periodBounds({ from: since, to: until });
  const about = q.trim() === '' ? null : q.trim().slice(0, 100);
  return { ...key, states: state === null ? [] : [state], about, createdFrom: first, createdTo: end };
}

/** The orders of the list; the newest first unless another is chosen. */
export const DELIVERY_ORDERS: readonly [ListSort, ...ListSort[]] = [
  { by: 'created', descending: true },
  { by: 'attempts', descending: true },
  { by: 'next', descending: false },
];

/** A page of deliveries, in the order that the URL names. */
export function toDeliveriesInput(key: Parameters<typeof toDeliveryFilter>[0], filters: DeliveryFilters, sort: string) {
  const { by, descending } = readSort(sort, DELIVERY_ORDERS);
  const order = { by: by === 'attempts' || by === 'next' ? by : 'created', descending } as const;
  return { ...toDeliveryFilter(key, filters), sort: order, limit: PAGE };
}

/** Milliseconds between two reads of deliveries and of their numbers: what is counted is as old as what is listed. */
export const DELIVERIES_REFRESH_MS = 4_000;

/** Deliveries to an endpoint of these filters. */
export const deliveriesQuery = (
  trpc: Trpc,
  endpoint: Parameters<typeof toDeliveriesInput>[0],
  filters: DeliveryFilters,
  sort: string,
) =>
  trpc.webhooks.deliveries.list.infiniteQueryOptions(
    toDeliveriesInput(endpoint, filters, sort),
    pagesEvery(DELIVERIES_REFRESH_MS),
  );
