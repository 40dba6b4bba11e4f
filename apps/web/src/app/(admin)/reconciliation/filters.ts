import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { DISCREPANCY_KINDS, type DiscrepancyKind } from '../../../copy/discrepancies.ts';
import { addDays } from '../../../format/calendar.ts';
import { dayOf, startOfDay } from '../../../format/moments.ts';
import { type Scope, scopeFilter } from '../../../scope/scope.ts';

/** The lists below the grid of days. */
export const VIEWS = ['discrepancies', 'totals'] as const;

/** Discrepancies by state: `closed` ones are explained or resolved. */
export const STATE_FILTERS = ['open', 'closed', 'all'] as const;

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
};

/** The discrepancy open beside the list. */
export const panelParser = { discrepancy: parseAsString };

/** Reads the page's state from the URL, on the server. */
export const loadReconciliationPage = createLoader({ ...filterParsers, ...panelParser });

/** The filters of the reconciliation page. */
export interface ReconciliationFilters {
  readonly until: string;
  readonly account: string;
  readonly day: string;
  readonly view: (typeof VIEWS)[number];
  readonly state: (typeof STATE_FILTERS)[number];
  readonly kind: readonly DiscrepancyKind[];
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

/** The discrepancies the list is of, as the server takes them: of the account and day chosen, or of the grid's days. */
export function toDiscrepancyFilter(scope: Scope, filters: ReconciliationFilters, days: readonly string[]) {
  const day = startOfDay(filters.day) === null ? null : filters.day;
  return {
    ...scopeFilter(scope),
    accountIds: /^[0-9a-f-]{36}$/.test(filters.account) ? [filters.account] : [],
    dayFrom: day ?? days.at(-1) ?? null,
    dayTo: day ?? days[0] ?? null,
    states: [...STATES[filters.state]],
    kinds: [...filters.kind],
  };
}

/** A page of the discrepancies the list is of. */
export function toDiscrepanciesInput(scope: Scope, filters: ReconciliationFilters, days: readonly string[]) {
  return { ...toDiscrepancyFilter(scope, filters, days), limit: PAGE };
}
