import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { DISCREPANCY_KINDS, type DiscrepancyKind } from '../../../copy/discrepancies.ts';
import { addDays } from '../../../format/calendar.ts';
import { dayOf, startOfDay } from '../../../format/moments.ts';
import type { Scope } from '../../../scope/scope.ts';

export const VIEWS = ['differences', 'totals'] as const;
export const STATE_FILTERS = ['open', 'settled', 'all'] as const;

/** The page's state in the URL. */
export const filterParsers = {
  /** Last day shown; empty for yesterday. */
  until: parseAsString.withDefault(''),
  /** The account and the day selectedDay in the grid. */
  account: parseAsString.withDefault(''),
  day: parseAsString.withDefault(''),
  view: parseAsStringLiteral(VIEWS).withDefault('differences'),
  standing: parseAsStringLiteral(STATE_FILTERS).withDefault('open'),
  kind: parseAsArrayOf(parseAsStringLiteral(DISCREPANCY_KINDS)).withDefault([]),
};

/** The discrepancy open beside the list. */
export const panelParser = { difference: parseAsString };

export const loadReconciliationPage = createLoader({ ...filterParsers, ...panelParser });

export interface ReconciliationFilters {
  readonly until: string;
  readonly account: string;
  readonly day: string;
  readonly view: (typeof VIEWS)[number];
  readonly standing: (typeof STATE_FILTERS)[number];
  readonly kind: readonly DiscrepancyKind[];
}

export const DAYS_SHOWN = 14;
const PAGE = 60;

/** The days of the grid, the latest first. */
export function shownDays({ until }: Pick<ReconciliationFilters, 'until'>, now: number): string[] {
  const yesterday = addDays(dayOf(now), -1);
  const last = startOfDay(until) === null || until > yesterday ? yesterday : until;
  return Array.from({ length: DAYS_SHOWN }, (_, at) => addDays(last, -at));
}

function selectedDay(filters: ReconciliationFilters) {
  const account = /^[0-9a-f-]{36}$/.test(filters.account) ? filters.account : null;
  const day = startOfDay(filters.day) === null ? null : filters.day;
  return { accountId: account, from: day, to: day };
}

/** The runs of the grid's days. */
export function toRunsInput(scope: Scope, days: readonly string[]) {
  return { merchantId: scope.merchantId, mode: scope.mode, from: days.at(-1) ?? null, to: days[0] ?? null, limit: 500 };
}

const STATES = { open: ['OPEN'], settled: ['EXPLAINED', 'RESOLVED'], all: [] } as const;

/** The filter of the discrepancies shown, by the names that exports share with GraphQL. */
export function toExportFilter(scope: Scope, filters: ReconciliationFilters, days: readonly string[]) {
  const { merchantId, accountId, from, to, limit: _, ...same } = toDiscrepanciesInput(scope, filters, days);
  return {
    ...same,
    merchantIds: merchantId === null ? [] : [merchantId],
    accountIds: accountId === null ? [] : [accountId],
    dayFrom: from,
    dayTo: to,
  };
}

/** The filter of the discrepancies shown: the selected account and day, or all days of the grid. */
export function toDiscrepanciesInput(scope: Scope, filters: ReconciliationFilters, days: readonly string[]) {
  const own = selectedDay(filters);
  return {
    merchantId: scope.merchantId,
    mode: scope.mode,
    accountId: own.accountId,
    from: own.from ?? days.at(-1) ?? null,
    to: own.to ?? days[0] ?? null,
    states: [...STATES[filters.standing]],
    kinds: [...filters.kind],
    limit: PAGE,
  };
}
