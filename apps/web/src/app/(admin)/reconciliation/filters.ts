import { createLoader, parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import {
  type ChangeOf,
  type FiltersOf,
  isAnySet,
  type ListOrder,
  listParsers,
  readSort,
} from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { DISCREPANCY_KINDS } from '#/copy/discrepancies.ts';
import { NO_OWNER } from '#/discrepancies/no-owner.ts';
import { addDays } from '#/format/calendar.ts';
import { dayOf, startOfDay } from '#/format/moments.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The views of the page. */
export const VIEWS = ['discrepancies', 'days', 'totals'] as const;

/** Discrepancies by state: `closed` ones are explained or resolved. */
export const STATE_FILTERS = ['open', 'closed', 'all'] as const;

/** Discrepancies by the days since their reconciled day; a group of the summary by age. */
export const AGES = ['0-2', '3-7', '8-30', '31-'] as const;

/** An age of discrepancies: `3-7` for three to seven days, `31-` for 31 and more. */
export type Age = (typeof AGES)[number];

/** Orders of the list: the oldest first unless another is chosen. */
export const ORDERS = [
  { by: 'age', descending: true },
  { by: 'difference', descending: true, title: 'Amount' },
] as const satisfies readonly [ListOrder, ...ListOrder[]];

/** The page's state in the URL. */
export const filterParsers = {
  /** Last day shown; empty for yesterday. */
  until: parseAsString.withDefault(''),
  /** The account and the day selected in the grid. */
  account: parseAsString.withDefault(''),
  day: parseAsString.withDefault(''),
  view: parseAsStringLiteral(VIEWS).withDefault('discrepancies'),
  state: parseAsStringLiteral(STATE_FILTERS).withDefault('open'),
  kind: parseAsArrayOf(parseAsStringLiteral(DISCREPANCY_KINDS)).withDefault([]),
  age: parseAsStringLiteral(AGES),
  /** A staff user's id, or {@link NO_OWNER}; empty for any. */
  owner: parseAsString.withDefault(''),
  /** Bounds of the amount in question, whole main units; empty for none. */
  least: parseAsString.withDefault(''),
  most: parseAsString.withDefault(''),
  /** Only amounts that differ by no more than the merchant's tolerance. */
  tolerated: parseAsBoolean.withDefault(false),
  sort: listParsers.sort,
};

/** The discrepancy open beside the list. */
export const panelParser = { discrepancy: parseAsString };

/** Reads the page's state from the URL, on the server. */
export const loadReconciliationPage = createLoader({ ...filterParsers, ...panelParser });

/** The filters of the reconciliation page. */
export type ReconciliationFilters = FiltersOf<typeof filterParsers>;

/** A change of the filters; null clears one. */
export type ReconciliationChange = ChangeOf<ReconciliationFilters>;

/** No filter of the list, but its state. */
export const NO_FILTERS = {
  account: null,
  day: null,
  kind: null,
  age: null,
  owner: null,
  least: null,
  most: null,
  tolerated: null,
} as const;

/** True if the list is filtered by more than its state. */
export function isFiltered(filters: ReconciliationFilters): boolean {
  return isAnySet(filters, Object.keys(NO_FILTERS));
}

/** Days in the grid. */
export const DAYS_SHOWN = 14;
const PAGE = 60;

/** The days of the grid, the latest first. */
export function shownDays({ until }: Pick<ReconciliationFilters, 'until'>, now: number): string[] {
  const yesterday = addDays(dayOf(now), -1);
  const last = startOfDay(until) === null || until > yesterday ? yesterday : until;
  return Array.from({ length: DAYS_SHOWN }, (_, at) => addDays(last, -at));
}

/** The runs of the grid's days. */
export function toRunsInput(scope: Scope, days: readonly string[]) {
  return { merchantId: scope.merchantId, mode: scope.mode, from: days.at(-1) ?? null, to: days[0] ?? null, limit: 500 };
}

const STATES = { open: ['OPEN'], closed: ['EXPLAINED', 'RESOLVED'], all: [] } as const;

/**
 * The discrepancies the list is of, as the server takes them: those of the account and day chosen in the grid, else of any day, so
 * that none grows old unseen. An age is counted up to today.
 */
export function toDiscrepancyFilter(scope: Scope, filters: ReconciliationFilters, now: number) {
  const { owner, age } = filters;
  const day = startOfDay(filters.day) === null ? null : filters.day;
  const days = day === null ? daysOfAge(age, dayOf(now)) : { dayFrom: day, dayTo: day };
  return {
    ...scopeFilter(scope),
    accountIds: isId(filters.account) ? [filters.account] : [],
    ...days,
    states: [...STATES[filters.state]],
    kinds: [...filters.kind],
    ...(isId(owner) && { ownerId: owner }),
    ...(owner === NO_OWNER && { unowned: true }),
    amountFrom: wholeAmount(filters.least),
    amountTo: wholeAmount(filters.most),
    withinTolerance: filters.tolerated ? true : null,
  };
}

/** The reconciled days of an age. */
function daysOfAge(age: Age | null, today: string): { dayFrom: string | null; dayTo: string | null } {
  if (age === null) return { dayFrom: null, dayTo: null };
  const [least = '0', most = ''] = age.split('-');
  return { dayFrom: most === '' ? null : addDays(today, -Number(most)), dayTo: addDays(today, -Number(least)) };
}

function isId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}

function wholeAmount(text: string): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** The order as the server takes it: the oldest have the earliest days. */
function toSort(sort: string) {
  const { by, descending } = readSort(sort, ORDERS);
  if (by === 'difference') return { by: 'amount', order: descending ? 'desc' : 'asc' } as const;
  return { by: 'day', order: descending ? 'asc' : 'desc' } as const;
}

/** A page of the discrepancies the list is of. */
export function toDiscrepanciesInput(scope: Scope, filters: ReconciliationFilters, now: number) {
  return { ...toDiscrepancyFilter(scope, filters, now), sort: toSort(filters.sort), limit: PAGE };
}

/** The same discrepancies of every age, counted by age. */
export function toAgeInput(scope: Scope, filters: ReconciliationFilters, now: number) {
  return { filter: toDiscrepancyFilter(scope, { ...filters, age: null }, now), today: dayOf(now) };
}

/** Discrepancies of these filters. */
export const discrepanciesQuery = (trpc: Trpc, scope: Scope, filters: ReconciliationFilters, now: number) =>
  trpc.reconciliation.discrepancies.infiniteQueryOptions(toDiscrepanciesInput(scope, filters, now), pagesEvery(30_000));
