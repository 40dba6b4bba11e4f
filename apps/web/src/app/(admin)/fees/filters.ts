import { createLoader, parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { dayNamed } from '#/components/filter-bar/period.ts';
import { type ChangeOf, type FiltersOf, isAnySet } from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { isUuid } from '#/format/uuid.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The views of the page, in the order of its tabs. */
export const VIEWS = ['audit', 'rates', 'contracts'] as const;

/** Dates that a period may be of, in the order in which they are offered. */
export const DATES = ['paid', 'created', 'settled'] as const;

/** The page's state in the URL. */
export const filterParsers = {
  view: parseAsStringLiteral(VIEWS).withDefault('audit'),
  account: parseAsArrayOf(parseAsString).withDefault([]),
  date: parseAsStringLiteral(DATES).withDefault('paid'),
  /** Days of that date, both inclusive: `2026-11-21`, `today-6`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  /** The settlement whose payments are shown; empty for any. */
  settlement: parseAsString.withDefault(''),
  /** True for all payments, not the overcharged ones alone. */
  all: parseAsBoolean.withDefault(false),
};

/** The payment open beside the list. */
export const panelParser = { payment: parseAsString };

/** Reads the page's state from the URL, on the server. */
export const loadFeesPage = createLoader({ ...filterParsers, ...panelParser });

/** The filters of the page. */
export type FeesFilters = FiltersOf<typeof filterParsers>;

/** A change of the filters; null clears one. */
export type FeesChange = ChangeOf<FeesFilters>;

/** Clears every filter; the view stays. */
export const NO_FILTERS = { account: null, date: null, from: null, to: null, settlement: null } as const;

const PAGE = 60;

/** True if the fees are filtered. */
export function isFiltered({ account, from, to, settlement }: FeesFilters): boolean {
  return isAnySet({ account, from, to, settlement });
}

/** The fees the page is of, as the server takes them. Values that cannot be read filter nothing. */
export function toFeeFilter(scope: Scope, { account, date, from, to, settlement }: FeesFilters, now: number) {
  return {
    ...scopeFilter(scope),
    accountIds: account.filter(isUuid),
    date,
    from: dayNamed(from, now),
    to: dayNamed(to, now),
    settlementId: isUuid(settlement) ? settlement : null,
  };
}

/** A page of fees. */
export function toFeesInput(scope: Scope, filters: FeesFilters, now: number) {
  return { ...toFeeFilter(scope, filters, now), overchargedOnly: !filters.all, limit: PAGE };
}

/** Fees of these filters. */
export const feesQuery = (trpc: Trpc, scope: Scope, filters: FeesFilters, now: number) =>
  trpc.fees.list.infiniteQueryOptions(toFeesInput(scope, filters, now), pagesEvery(30_000));
