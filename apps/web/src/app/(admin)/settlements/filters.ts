import { createLoader, parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { dayNamed } from '#/components/filter-bar/period.ts';
import { type ChangeOf, type FiltersOf, isAnySet, type ListSort, listParsers, readSort } from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { LINE_KINDS, SETTLEMENT_DISCREPANCY_KINDS, SETTLEMENT_STATES, type SettlementDiscrepancy } from '#/copy/settlements.ts';
import { NO_OWNER } from '#/discrepancies/no-owner.ts';
import { isUuid } from '#/format/uuid.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The views of the page, in the order of its tabs. */
export const VIEWS = ['settlements', 'discrepancies', 'accounts'] as const;

/** Discrepancies by state: `closed` ones are explained or resolved. */
export const STATE_FILTERS = ['open', 'closed', 'all'] as const;

/** Where discrepancies are: in what gateways paid out, or in what reached the bank of it. */
export const PLACES = ['payouts', 'bank'] as const;

/** Subjects of the discrepancies of each place. */
export const ABOUTS = {
  payouts: ['payment', 'duplicate', 'refund', 'reversal', 'dispute', 'fee', 'line', 'status'],
  bank: ['payout', 'bank'],
} as const satisfies Record<(typeof PLACES)[number], readonly SettlementDiscrepancy['about'][]>;

/** Orders of discrepancies: the newest first unless another is chosen. */
export const ORDERS = [
  { by: 'created', descending: true },
  { by: 'amount', descending: true },
] as const satisfies readonly [ListSort, ...ListSort[]];

/** The page's state in the URL. */
export const filterParsers = {
  view: parseAsStringLiteral(VIEWS).withDefault('settlements'),
  account: parseAsArrayOf(parseAsString).withDefault([]),
  status: parseAsArrayOf(parseAsStringLiteral(SETTLEMENT_STATES)).withDefault([]),
  /** Days of the payout, both inclusive: `2026-11-21`, `today-6`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  unexplained: parseAsBoolean.withDefault(false),
  /** An id or a reference of a settlement or of one of its lines. */
  q: parseAsString.withDefault(''),
  state: parseAsStringLiteral(STATE_FILTERS).withDefault('open'),
  kind: parseAsArrayOf(parseAsStringLiteral(SETTLEMENT_DISCREPANCY_KINDS)).withDefault([]),
  place: parseAsStringLiteral(PLACES),
  /** A staff user's id, or {@link NO_OWNER}; empty for any. */
  owner: parseAsString.withDefault(''),
  /** The settlement whose discrepancies are shown; empty for any. */
  settlement: parseAsString.withDefault(''),
  sort: listParsers.sort,
};

/** The discrepancy open beside the list. */
export const panelParser = { discrepancy: parseAsString };

/** Reads the page's state from the URL, on the server. */
export const loadSettlementsPage = createLoader({ ...filterParsers, ...panelParser });

/** The filters of the page. */
export type SettlementsFilters = FiltersOf<typeof filterParsers>;

/** A change of the filters; null clears one. */
export type SettlementsChange = ChangeOf<SettlementsFilters>;

/** Clears every filter; the view and the state of discrepancies stay. */
export const NO_FILTERS = {
  account: null,
  status: null,
  from: null,
  to: null,
  unexplained: null,
  q: null,
  kind: null,
  place: null,
  owner: null,
  settlement: null,
} as const;

const PAGE = 60;
const STATES = { open: ['OPEN'], closed: ['EXPLAINED', 'RESOLVED'], all: [] } as const;

/** True if the settlements are filtered. */
export function isFiltered({ account, status, from, to, unexplained, q }: SettlementsFilters): boolean {
  return isAnySet({ account, status, from, to, unexplained, q });
}

/** True if the discrepancies are filtered by more than their state. */
export function hasDiscrepancyFilter({ account, kind, place, owner, settlement }: SettlementsFilters): boolean {
  return isAnySet({ account, kind, place, owner, settlement });
}

/** The settlements the page is of, as the server takes them. Values that cannot be read filter nothing. */
export function toSettlementFilter(scope: Scope, filters: SettlementsFilters, now: number) {
  return {
    ...scopeFilter(scope),
    accountIds: filters.account.filter(isUuid),
    statuses: [...filters.status],
    from: dayNamed(filters.from, now),
    to: dayNamed(filters.to, now),
    unexplainedOnly: filters.unexplained,
    search: filters.q.trim() || null,
  };
}

/** A page of settlements. */
export function toSettlementsInput(scope: Scope, filters: SettlementsFilters, now: number) {
  return { ...toSettlementFilter(scope, filters, now), limit: PAGE };
}

/** The discrepancies the page is of. */
export function toDiscrepancyFilter(scope: Scope, filters: SettlementsFilters) {
  const { owner, place, settlement } = filters;
  return {
    ...scopeFilter(scope),
    accountIds: filters.account.filter(isUuid),
    states: [...STATES[filters.state]],
    kinds: [...filters.kind],
    abouts: place === null ? [] : [...ABOUTS[place]],
    settlementId: isUuid(settlement) ? settlement : null,
    ...(isUuid(owner) && { ownerId: owner }),
    ...(owner === NO_OWNER && { unowned: true }),
  };
}

/** A page of discrepancies. */
export function toDiscrepanciesInput(scope: Scope, filters: SettlementsFilters) {
  const { by, descending } = readSort(filters.sort, ORDERS);
  const order = { by: by === 'amount' ? 'amount' : 'created', order: descending ? 'desc' : 'asc' } as const;
  return { ...toDiscrepancyFilter(scope, filters), sort: order, limit: PAGE };
}

/** The page of one settlement in the URL. */
export const lineParsers = {
  kind: parseAsArrayOf(parseAsStringLiteral(LINE_KINDS)).withDefault([]),
  unmatched: parseAsBoolean.withDefault(false),
};

/** Reads the state of a settlement's page from the URL, on the server. */
export const loadLines = createLoader(lineParsers);

/** The filters of a settlement's lines. */
type LineFilters = FiltersOf<typeof lineParsers>;

/** The lines of a settlement that its page shows, as the server takes them. */
export function toLineFilter(settlementId: string, { kind, unmatched }: LineFilters) {
  return { settlementId, kinds: [...kind], unmatchedOnly: unmatched };
}

/** A page of a settlement's lines. */
export function toLinesInput(settlementId: string, filters: LineFilters) {
  return { ...toLineFilter(settlementId, filters), limit: PAGE };
}

const REFRESH_MS = 30_000;

/** Settlements of these filters. */
export const settlementsQuery = (trpc: Trpc, scope: Scope, filters: SettlementsFilters, now: number) =>
  trpc.settlements.list.infiniteQueryOptions(toSettlementsInput(scope, filters, now), pagesEvery(REFRESH_MS));

/** Lines of a settlement. */
export const linesQuery = (trpc: Trpc, settlementId: string, filters: Parameters<typeof toLinesInput>[1]) =>
  trpc.settlements.lines.infiniteQueryOptions(toLinesInput(settlementId, filters), pagesEvery(REFRESH_MS));

/** Discrepancies of these filters. */
export const discrepanciesQuery = (trpc: Trpc, scope: Scope, filters: SettlementsFilters) =>
  trpc.settlements.discrepancies.list.infiniteQueryOptions(toDiscrepanciesInput(scope, filters), pagesEvery(REFRESH_MS));
