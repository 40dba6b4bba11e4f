import { addDays } from '#/format/calendar.ts';

/** Days, both inclusive: `2026-11-21`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Periods that have a name, in the order in which they are offered. */
export const PERIODS = ['today', 'yesterday', '7d', '30d', 'month', 'last-month', 'year'] as const;

/** A period that reports can be chosen for by name. */
export type PeriodName = (typeof PERIODS)[number];

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
