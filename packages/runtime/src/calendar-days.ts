/* Days by a calendar, as text: `2026-11-26`. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a moment in a zone. */
export function calendarDay(moment: Date, zone: string): string {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  // Years before 1000 come without their zeros.
  return format.format(moment).padStart(10, '0');
}

/** A day in the database's format: midnight in UTC. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** The day of a date column. */
export function dayText(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** True if the text is a day of the calendar. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && dayText(new Date(time)) === text;
}

/** The last midnight in a zone. Where midnight does not exist that day, the first moment after it. */
export function startOfDay(moment: Date, zone: string): Date {
  const day = calendarDay(moment, zone);
  // Zone offsets are multiples of a quarter of an hour; the day began between 0 and 25 hours ago.
  const quarter = 15 * 60_000;
  let start = Math.floor(moment.getTime() / quarter) * quarter;
  while (calendarDay(new Date(start - quarter), zone) === day) start -= quarter;
  return new Date(start);
}

/** The first moment of a day in a zone. Throws when the text is no day. */
export function firstMoment(day: string, zone: string): Date {
  const begin = Date.parse(`${day}T00:00:00Z`);
  // Noon in UTC is that day from 12 hours behind to 11 ahead, midnight in UTC further ahead.
  const moment = [begin + 12 * 3_600_000, begin].find((time) => calendarDay(new Date(time), zone) === day);
  if (moment === undefined) throw new RangeError(`${day} is no day`);
  return startOfDay(new Date(moment), zone);
}

/** The day so many calendar days after another, both `YYYY-MM-DD`; a negative number goes back. */
export function addDays(day: string, count: number): string {
  return dayText(new Date(dateOf(day).getTime() + count * 86_400_000));
}

/** The first day of a month `YYYY-MM`. */
export function firstDay(month: string): string {
  return `${month}-01`;
}

/** The month so many months after another, both `YYYY-MM`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const months = year * 12 + number - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}
