const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Days, both inclusive: `2026-11-21`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export const PERIODS = ['today', 'yesterday', '7d', '30d', 'month', 'last-month', 'year'] as const;
export type PeriodName = (typeof PERIODS)[number];

export const PERIOD_WORDS: Readonly<Record<PeriodName, string>> = {
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
      return { from: plusDays(today, -1), to: plusDays(today, -1) };
    case '7d':
      return { from: plusDays(today, -6), to: today };
    case '30d':
      return { from: plusDays(today, -29), to: today };
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    case 'last-month': {
      const last = plusDays(`${today.slice(0, 7)}-01`, -1);
      return { from: `${last.slice(0, 7)}-01`, to: last };
    }
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
    default: {
      const never: never = name;
      return never;
    }
  }
}

/** The day some days after another. */
export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first day of the next day, week or month. */
export function nextStart(day: string, step: 'day' | 'week' | 'month'): string {
  if (step === 'day') return plusDays(day, 1);
  if (step === 'week') return plusDays(day, 7);
  return `${plusDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`;
}

/** The day, week or month a day lies in, by its first day. */
export function startOf(day: string, step: 'day' | 'week' | 'month'): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`;
  if (step === 'day') return day;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return plusDays(day, -weekday);
}

export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one costs far more than using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', {
    ...{
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    },
  });
  formats.set(zone, made);
  return made;
}

/** What a zone's clocks show at a moment: `2026-11-21T14:30`. */
export function clockIn(zone: string, at: number): string {
  return formatOf(zone).format(at).replace(' ', 'T');
}

/** The first moment at which a zone's clocks show this or later; clocks that jump over it show it never. */
export function momentIn(zone: string, clock: string): Date {
  const guess = Date.parse(`${clock}:00Z`);
  const offset = Date.parse(`${clockIn(zone, guess)}:00Z`) - guess;
  // The zone's offset may be another one there: no change is larger than two hours, and offsets are whole quarters of an hour.
  for (let at = guess - offset - 2 * HOUR_MS; at <= guess - offset + 2 * HOUR_MS; at += HOUR_MS / 4) {
    if (clockIn(zone, at) >= clock) return new Date(at);
  }
  return new Date(guess - offset);
}

/** The first moment of a day in a zone. */
export function beginOfDay(zone: string, day: string): Date {
  return momentIn(zone, `${day}T00:00`);
}
