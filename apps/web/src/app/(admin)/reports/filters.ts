import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { addDays, beginOfDay, clockIn, isDay, isZone, momentIn } from '#/format/calendar.ts';
import { viewerZone } from '#/format/zone.ts';
import type { Scope } from '#/scope/scope.ts';
import { type Days, daysOf, PERIODS } from './days.ts';

/** Figures that the chart can show, in the order in which they are offered. */
export const MEASURES = ['volume', 'conversion', 'fees', 'refunds', 'net'] as const;

/** A figure that the chart can show. */
export type Measure = (typeof MEASURES)[number];

/** Dimensions that a report can be grouped by: periods first. */
export const GROUPS = ['day', 'week', 'month', 'gateway', 'account', 'method', 'merchant', 'rule'] as const;

/** A dimension that reports can be grouped by. */
export type Group = (typeof GROUPS)[number];

/** Dates of payments that the days of a report may be of. */
export const PAYMENT_DATES = ['created', 'paid', 'settled'] as const;

/** A date of a payment. */
export type PaymentDate = (typeof PAYMENT_DATES)[number];

/** The currency of reports that name none. */
export const DEFAULT_CURRENCY = 'NGN';

/** The report's parameters in the URL. */
export const reportParsers = {
  period: parseAsStringLiteral(PERIODS).withDefault('30d'),
  /** Days of the zone, both inclusive; they go before the period. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  zone: parseAsString.withDefault(''),
  /** The date that the days are of. */
  date: parseAsStringLiteral(PAYMENT_DATES).withDefault('created'),
  /** The instant the report is taken at, in the zone's local time: `2026-11-01T00:00`; empty for now. */
  asof: parseAsString.withDefault(''),
  /** Empty for the usual one. */
  currency: parseAsString.withDefault(''),
  measure: parseAsStringLiteral(MEASURES).withDefault('volume'),
  by: parseAsStringLiteral(GROUPS).withDefault('day'),
};

/** Reads the report's parameters from the URL, on the server. */
export const loadReportPage = createLoader(reportParsers);

/** The filters of the reports page. */
export type ReportFilters = Awaited<ReturnType<typeof loadReportPage>>;

/** The address's zone, or Lagos where it names none there is. */
export function zoneOf({ zone }: Pick<ReportFilters, 'zone'>): string {
  return isZone(zone) ? zone : viewerZone();
}

/** The days shown, by the calendar of the zone. */
export function shownDays(filters: Pick<ReportFilters, 'from' | 'to' | 'period' | 'zone'>, now: number): Days {
  const today = clockIn(zoneOf(filters), now).slice(0, 10);
  const { from, to } = daysOf(filters.period, today);
  if (!isDay(filters.from) && !isDay(filters.to)) return { from, to };
  const end = isDay(filters.to) ? filters.to : today;
  return { from: isDay(filters.from) ? filters.from : end, to: end };
}

const DATES = { created: 'CREATED', paid: 'PAID', settled: 'SETTLED' } as const satisfies Record<PaymentDate, string>;

/** The report's GraphQL variables. */
export function toVariables(scope: Scope, filters: ReportFilters, days: Days) {
  const zone = zoneOf(filters);
  // Payments as they stood are by creation only.
  const asOf =
    filters.date === 'created' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(filters.asof) && isDay(filters.asof.slice(0, 10));
  return {
    filter: {
      mode: scope.mode,
      date: DATES[filters.date],
      ...(scope.merchantId !== null && { merchantIds: [scope.merchantId] }),
      from: beginOfDay(zone, days.from).toISOString(),
      to: beginOfDay(zone, addDays(days.to, 1)).toISOString(),
    },
    groupBy: [filters.by],
    currency: filters.currency === '' ? DEFAULT_CURRENCY : filters.currency,
    zone,
    compare: true,
    asOf: asOf ? momentIn(zone, filters.asof).toISOString() : null,
  };
}
