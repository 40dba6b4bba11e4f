import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { periodBounds } from '#/components/filter-bar/period.ts';
import { isAnySet } from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { REQUEST_OUTCOMES } from '#/copy/requests.ts';
import { isUuid } from '#/format/uuid.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The filters of the list in the URL. */
export const filterParsers = {
  outcome: parseAsArrayOf(parseAsStringLiteral(REQUEST_OUTCOMES)).withDefault([]),
  method: parseAsArrayOf(parseAsString).withDefault([]),
  /** Ids of keys. */
  key: parseAsArrayOf(parseAsString).withDefault([]),
  /** A request id, or the beginning of a path. */
  q: parseAsString.withDefault(''),
  /** A payment, of which the first requests are listed. */
  payment: parseAsString.withDefault(''),
  /** Days, both inclusive: `2026-11-21`, `today-6`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
};

/** The request open beside the list. */
export const panelParser = { request: parseAsString };

/** Reads the page's state from the URL, on the server. */
export const loadRequestsPage = createLoader(filterParsers);

/** The filters of the page; empty for any. */
export type RequestFilters = Awaited<ReturnType<typeof loadRequestsPage>>;

/** Clears every filter in the URL. */
export const NO_FILTERS = { outcome: null, method: null, key: null, q: null, payment: null, from: null, to: null } as const;

const PAGE = 60;

/** True if anything is filtered at all. */
export function isFiltered(filters: RequestFilters): boolean {
  return isAnySet(filters, Object.keys(filterParsers));
}

/** A page of requests. Text that is a UUID is the id of a request; any other is the beginning of a path. */
export function toRequestsInput(scope: Scope, { outcome, method, key, q, payment, from, to }: RequestFilters) {
  const { first, end } = periodBounds({ from, to });
  const text = q.trim();
  const isId = isUuid(text);
  return {
    ...scopeFilter(scope),
    outcomes: [...outcome],
    methods: [...method],
    keyIds: key.filter(isUuid),
    requestId: isId ? text : null,
    path: isId || text === '' ? null : text,
    paymentId: isUuid(payment) ? payment : null,
    endedFrom: first,
    endedTo: end,
    limit: PAGE,
  };
}

/** Requests of these filters. */
export const requestsQuery = (trpc: Trpc, scope: Scope, filters: RequestFilters) =>
  trpc.requests.list.infiniteQueryOptions(toRequestsInput(scope, filters), pagesEvery(5_000, 1));
