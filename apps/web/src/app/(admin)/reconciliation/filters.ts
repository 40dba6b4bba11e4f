import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { DIFFERENCE_KINDS, type DifferenceKind } from '../../../copy/differences.ts';
import { addDays } from '../../../format/calendar.ts';
import { dayOf, startOfDay } from '../../../format/moments.ts';
import type { Scope } from '../../../scope/scope.ts';

export const VIEWS = ['differences', 'totals'] as const;
export const STANDINGS = ['open', 'settled', 'all'] as const;

/** The page's state as kept in the address. */
export const filterParsers = {
  /** Last day shown; empty for yesterday. */
  until: parseAsString.withDefault(''),
  /** The account and the day chosen in the grid. */
  account: parseAsString.withDefault(''),
  day: parseAsString.withDefault(''),
  view: parseAsStringLiteral(VIEWS).withDefault('differences'),
  standing: parseAsStringLiteral(STANDINGS).withDefault('open'),
  kind: parseAsArrayOf(parseAsStringLiteral(DIFFERENCE_KINDS)).withDefault([]),
};

/** The difference open beside the list. */
export const panelParser = { difference: parseAsString };

export const loadReconciliationPage = createLoader({ ...filterParsers, ...panelParser });

export interface ReconciliationFilters {
  readonly until: string;
  readonly account: string;
  readonly day: string;
  readonly view: (typeof VIEWS)[number];
  readonly standing: (typeof STANDINGS)[number];
  readonly kind: readonly DifferenceKind[];
}

export const DAYS_SHOWN = 14;
const PAGE = 60;

/** The days of the grid, the latest first. */
export function shownDays({ until }: Pick<ReconciliationFilters, 'until'>, now: number): string[] {
  const yesterday = addDays(dayOf(now), -1);
  const last = startOfDay(until) === null || until > yesterday ? yesterday : until;
  return Array.from({ length: DAYS_SHOWN }, (_, at) => addDays(last, -at));
}

function chosen(filters: ReconciliationFilters) {
  const account = /^[0-9a-f-]{36}$/.test(filters.account) ? filters.account : null;
  const day = startOfDay(filters.day) === null ? null : filters.day;
  return { accountId: account, from: day, to: day };
}

/** The runs of the grid's days. */
export function toRunsInput(scope: Scope, days: readonly string[]) {
  return { merchantId: scope.merchantId, mode: scope.mode, from: days.at(-1) ?? null, to: days[0] ?? null, limit: 500 };
}

const STATES = { open: ['OPEN'], settled: ['EXPLAINED', 'RESOLVED'], all: [] } as const;

/** The differences the list is of, as an export takes them: by the names that GraphQL has for them. */
export function toExportFilter(scope: Scope, filters: ReconciliationFilters, days: readonly string[]) {
  const { merchantId, accountId, from, to, limit: _, ...same } = toDifferencesInput(scope, filters, days);
  return {
    ...same,
    merchantIds: merchantId === null ? [] : [merchantId],
    accountIds: accountId === null ? [] : [accountId],
    dayFrom: from,
    dayTo: to,
  };
}

/** The differences the list is of: of the account and day chosen, or of the grid's days. */
export function toDifferencesInput(scope: Scope, filters: ReconciliationFilters, days: readonly string[]) {
  const own = chosen(filters);
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
