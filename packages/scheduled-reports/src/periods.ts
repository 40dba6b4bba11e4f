import { addDays, calendarDay, firstMoment } from '@switchyard/runtime/calendar-days';

/** How often a report is made: for each day, each week from Monday to Sunday, or each month of the calendar. */
export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;

/** How often a report is made. */
export type Frequency = (typeof FREQUENCIES)[number];

/** When a report is made: from an hour on, in a time zone, of the day after its period. */
export interface Timing {
  readonly frequency: Frequency;
  /** 0 to 23. */
  readonly hour: number;
  readonly timeZone: string;
}

/** A period that is whole: its days by the calendar of a zone, the same as moments, and when its report is due. */
export interface Period {
  readonly firstDay: string;
  readonly lastDay: string;
  /** From the first moment, until before the second. */
  readonly from: Date;
  readonly to: Date;
  readonly dueAt: Date;
}

/** Missed periods that are made up for, the latest ones. */
export const MISSED_MAX = 7;

/** The period that has a day. */
export function periodOf(day: string, timing: Timing): Period {
  const firstDay = firstDayOf(day, timing.frequency);
  const nextDay = firstDayAfter(firstDay, timing.frequency);
  return { ...periodBetween(firstDay, addDays(nextDay, -1), timing.timeZone), dueAt: momentAt(nextDay, timing) };
}

/** Days as moments, both days inclusive. */
export function periodBetween(firstDay: string, lastDay: string, timeZone: string): Omit<Period, 'dueAt'> {
  return { firstDay, lastDay, from: firstMoment(firstDay, timeZone), to: firstMoment(addDays(lastDay, 1), timeZone) };
}

/** The period after another. */
export function periodAfter({ lastDay }: Pick<Period, 'lastDay'>, timing: Timing): Period {
  return periodOf(addDays(lastDay, 1), timing);
}

/** The next period whose report is due after a moment: the one that lasts, or one that is over and due later. */
export function nextPeriod(now: Date, timing: Timing): Period {
  let period = lastFinished(now, timing);
  while (period.dueAt <= now) period = periodAfter(period, timing);
  return period;
}

/** The next periods from a moment on, the earliest first. */
export function nextPeriods(now: Date, timing: Timing, count: number): Period[] {
  const periods: Period[] = [];
  for (let period = nextPeriod(now, timing); periods.length < count; period = periodAfter(period, timing)) periods.push(period);
  return periods;
}

/** The latest period that is over, whether or not its report is due. */
export function lastFinished(now: Date, timing: Timing): Period {
  const today = firstDayOf(calendarDay(now, timing.timeZone), timing.frequency);
  return periodOf(addDays(today, -1), timing);
}

/**
 * The periods that are due, from one on, the earliest first, and the next one. Of many only the latest {@link MISSED_MAX}, with how
 * many come before them.
 */
export function duePeriods(
  first: string,
  now: Date,
  timing: Timing,
): { readonly due: readonly Period[]; readonly skipped: number; readonly next: Period } {
  const due: Period[] = [];
  let skipped = 0;
  let period = periodOf(first, timing);
  for (; period.dueAt <= now; period = periodAfter(period, timing)) {
    due.push(period);
    if (due.length > MISSED_MAX) {
      due.shift();
      skipped += 1;
    }
  }
  return { due, skipped, next: period };
}

function firstDayOf(day: string, frequency: Frequency): string {
  switch (frequency) {
    case 'daily':
      return day;
    case 'weekly':
      return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
    case 'monthly':
      return `${day.slice(0, 8)}01`;
    default:
      return frequency satisfies never;
  }
}

function firstDayAfter(firstDay: string, frequency: Frequency): string {
  switch (frequency) {
    case 'daily':
      return addDays(firstDay, 1);
    case 'weekly':
      return addDays(firstDay, 7);
    case 'monthly':
      return firstDayOf(addDays(firstDay, 31), frequency);
    default:
      return frequency satisfies never;
  }
}

const QUARTER_MS = 15 * 60_000;

/** The first moment of a day at which its clock shows the hour; where clocks are put forward over it, the first moment after it. */
function momentAt(day: string, { hour, timeZone }: Timing): Date {
  const end = firstMoment(addDays(day, 1), timeZone);
  let moment = firstMoment(day, timeZone);
  // Zone offsets are multiples of a quarter of an hour.
  while (hourOf(moment, timeZone) < hour && moment < end) moment = new Date(moment.getTime() + QUARTER_MS);
  return moment;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function hourOf(moment: Date, zone: string): number {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
  formats.set(zone, format);
  return Number(format.format(moment));
}

/** `25 Nov 2026`, `23–29 Nov 2026`, `30 Nov – 6 Dec 2026`; a whole month is `November 2026`. */
export function periodText(firstDay: string, lastDay: string): string {
  const [first, last] = [firstDay, lastDay].map((day) => new Date(`${day}T00:00:00Z`));
  if (first === undefined || last === undefined) return '';
  if (firstDay === lastDay) return wordsOf(first, { day: 'numeric', month: 'short', year: 'numeric' });
  const isMonth = firstDay.endsWith('-01') && new Date(last.getTime() + 86_400_000).getUTCDate() === 1;
  if (isMonth && firstDay.slice(0, 7) === lastDay.slice(0, 7)) return wordsOf(first, { month: 'long', year: 'numeric' });
  const end = wordsOf(last, { day: 'numeric', month: 'short', year: 'numeric' });
  if (firstDay.slice(0, 7) === lastDay.slice(0, 7)) return `${first.getUTCDate()}–${end}`;
  const year = firstDay.slice(0, 4) === lastDay.slice(0, 4) ? {} : { year: 'numeric' as const };
  return `${wordsOf(first, { day: 'numeric', month: 'short', ...year })} – ${end}`;
}

/** British dates write `Sept`; ours have three letters. */
function wordsOf(date: Date, options: Intl.DateTimeFormatOptions): string {
  return date.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' }).replace('Sept ', 'Sep ');
}
