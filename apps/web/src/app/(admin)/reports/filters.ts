import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { addDays, beginOfDay, clockIn, isDay, isZone, momentIn } from '#/format/calendar.ts';
import { viewerZone } from '#/format/zone.ts';
import type { Scope } from '#/scope/scope.ts';

/** Days, both inclusive: `2026-11-21`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Periods that have a name, in the order in which they are offered. */
export const PERIODS = ['today', 'yesterday', '7d', '30d', 'month', 'last-month', 'year'] as const;

/** A period that reports can be chosen for by name. */
type PeriodName = (typeof PERIODS)[number];

/** The named periods as people read them. */
export const PERIOD_LABELS: Readonly<Record<PeriodName, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  month: 'This month',
  'last-month': 'Last month',
  year: 'This year',
};

/** The days of a period that ends with, or before, the day given. */
export function daysOf(name: PeriodName, today: string): Days {
  switch (name) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case '7d':
      return { from: addDays(today, -6), to: today };
    case '30d':
      return { from: addDays(today, -29), to: today };
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    case 'last-month': {
      const last = addDays(`${today.slice(0, 7)}-01`, -1);
      return { from: `${last.slice(0, 7)}-01`, to: last };
    }
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
    default:
      return name satisfies never;
  }
}

/** Figures that the chart can show, in the order in which they are offered. */
const MEASURES = ['volume', 'conversion', 'fees', 'refunds', 'net'] as const;

/** A figure that the chart can show. */
export type Measure = (typeof MEASURES)[number];

/** Dimensions that a report can be grouped by: periods first. */
export const GROUPS = ['day', 'week', 'month', 'gateway', 'account', 'method', 'merchant', 'rule'] as const;

/** A dimension that reports can be grouped by. */
export type Group = (typeof GROUPS)[number];

/** Dates of payments that the days of a report may be of. */
export const PAYMENT_DATES = ['created', 'paid', 'settled'] as const;

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

/** The cache key of a report, on the server and in the browser. */
export function reportKey(operation: string, variables: ReturnType<typeof toVariables>) {
  return ['report', operation, variables] as const;
}
