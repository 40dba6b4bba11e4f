import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { GROUPS, PERIODS, shownDays, zoneOf } from '#/app/(admin)/reports/filters.ts';
import { addDays, beginOfDay } from '#/format/calendar.ts';
import type { Scope } from '#/scope/scope.ts';
import { QUERY_IDS, type QueryParameters } from './ready-queries.ts';

/** The parts of the explorer. */
export const TABS = ['queries', 'editor'] as const;

/** The explorer's state in the URL. A saved query is this without the tab. */
export const explorerParsers = {
  tab: parseAsStringLiteral(TABS).withDefault('queries'),
  query: parseAsStringLiteral(QUERY_IDS).withDefault('totals'),
  period: parseAsStringLiteral(PERIODS).withDefault('30d'),
  /** Days of the zone, both inclusive; they go before the period. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  zone: parseAsString.withDefault(''),
  /** Empty for the usual one, or for all where there can be several. */
  currency: parseAsString.withDefault(''),
  by: parseAsStringLiteral(GROUPS).withDefault('day'),
  gateway: parseAsArrayOf(parseAsString).withDefault([]),
  method: parseAsArrayOf(parseAsString).withDefault([]),
  status: parseAsArrayOf(parseAsString).withDefault([]),
};

/** Reads the explorer's state from the URL, on the server. */
export const loadExplorerPage = createLoader(explorerParsers);

/** The explorer's state. */
export type ExplorerFilters = Awaited<ReturnType<typeof loadExplorerPage>>;

/** A change of the explorer's state; null clears a parameter. */
export type ExplorerChange = { [Name in keyof ExplorerFilters]?: ExplorerFilters[Name] | null };

/** The parameters of a query. */
export function toParameters(scope: Scope, filters: ExplorerFilters, now: number): QueryParameters {
  const zone = zoneOf(filters);
  const days = shownDays(filters, now);
  const { by, currency, gateway, method, status } = filters;
  return {
    mode: scope.mode,
    merchantIds: scope.merchantId === null ? [] : [scope.merchantId],
    from: beginOfDay(zone, days.from).toISOString(),
    to: beginOfDay(zone, addDays(days.to, 1)).toISOString(),
    firstDay: days.from,
    lastDay: days.to,
    zone,
    by,
    currency,
    gateways: gateway,
    methods: method,
    statuses: status,
  };
}
