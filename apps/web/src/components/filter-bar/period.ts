import { serverNow } from '#/clock/server-clock.ts';
import { addDays, isDay } from '#/format/calendar.ts';
import { dayOf, startOfDay } from '#/format/moments.ts';
import { zonedFormat } from '#/format/zone.ts';

const short = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const shortDay = (day: string) => short.format(new Date(`${day}T00:00:00Z`));
const exact = zonedFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A period as the URL names it, both ends inclusive; empty for an open end. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The periods to choose by name: days counted back from today, so that a saved view or a bookmark moves on with the calendar. */
export const PERIODS: readonly (Period & { readonly label: string })[] = [
  { label: 'Today', from: 'today', to: 'today' },
  { label: 'Yesterday', from: 'today-1', to: 'today-1' },
  { label: 'Last 7 days', from: 'today-6', to: 'today' },
  { label: 'Last 30 days', from: 'today-29', to: 'today' },
  { label: 'Last 90 days', from: 'today-89', to: 'today' },
];

const RELATIVE = /^today(?:-(\d{1,4}))?$/;

/** The day that a text names: `2026-11-21`, `today`, or `today-6` for six days before today. Null for any other text. */
export function dayNamed(text: string, now: number = serverNow()): string | null {
  const back = RELATIVE.exec(text);
  if (back !== null) return addDays(dayOf(now), -Number(back[1] ?? 0));
  return isDay(text) ? text : null;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/;

/** The moment a text names in UTC; null for any other text. */
function momentOf(text: string): Date | null {
  const moment = MOMENT.test(text) ? new Date(text) : null;
  return moment === null || Number.isNaN(moment.getTime()) ? null : moment;
}

/**
 * The first moment of a period and the first one after it; null for an open end, and for what cannot be read. Ends are days, both
 * inclusive, or moments as `2026-11-21T14:00:00Z`, the second exclusive.
 */
export function periodBounds(
  { from, to }: Period,
  now: number = serverNow(),
): { readonly first: Date | null; readonly end: Date | null } {
  const [firstDay, lastDay] = [dayNamed(from, now), dayNamed(to, now)];
  return {
    first: firstDay === null ? momentOf(from) : startOfDay(firstDay),
    end: lastDay === null ? momentOf(to) : startOfDay(addDays(lastDay, 1)),
  };
}

/** A period in a few words: `Last 7 days`, `21 Nov`, `15 Nov to 21 Nov`, `since 15 Nov`. */
export function describePeriod(from: string, to: string): string {
  const named = PERIODS.find((period) => period.from === from && period.to === to);
  if (named !== undefined) return named.label;
  const moments = [from, to].flatMap((text) => momentOf(text) ?? []);
  if (moments.length > 0) return moments.map((at) => exact.format(at)).join(' to ');
  const [firstDay, lastDay] = [dayNamed(from), dayNamed(to)];
  const first = firstDay === null ? null : shortDay(firstDay);
  const last = lastDay === null ? null : shortDay(lastDay);
  if (first !== null && last !== null) return first === last ? first : `${first} to ${last}`;
  if (first !== null) return `since ${first}`;
  return last === null ? '' : `until ${last}`;
}
