import { dayText, isDay } from '@switchyard/runtime/calendar-days';

/** How dates and times are written. */
export interface TimeFormat {
  readonly dates: 'day_first' | 'month_first';
  /** Of times without one of their own, and of the days of those with one. */
  readonly zone: string;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?)?\s*(z|utc|gmt|wat|[+-]\d{2}:?\d{2})?$/i;
const DAY_AND_MONTH = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/;

/**
 * The day of a date: `2026-11-25`; null when the text is none. A date with a time is that day as it is written, and with the offset of its time
 * the day that the zone has at that moment.
 */
export function readDay(text: string, format: TimeFormat): string | null {
  const [, time] = splitTime(text);
  if (time === undefined || TIME.exec(time)?.[6] === undefined) return writtenDay(text, format);
  const moment = readTime(text, format);
  return moment === null ? null : dayIn(moment, format.zone);
}

/** True if a date is another day with its day and month the other way around, `03/04/2026`, and false if it is none; null of any other form. */
export function isEitherWay(text: string): boolean | null {
  const [date = ''] = splitTime(text);
  const [, first, second] = DAY_AND_MONTH.exec(date) ?? [];
  if (first === undefined || Number(first) === Number(second)) return null;
  return Number(first) <= MONTHS.length && Number(second) <= MONTHS.length;
}

/** The day that a text begins with, as it is written. */
function writtenDay(text: string, { dates }: Pick<TimeFormat, 'dates'>): string | null {
  const [date = ''] = splitTime(text);
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:z|[+-]\d{2}:\d{2})?$/i.exec(date) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(date);
  if (iso !== null) return dayOf(iso[1], iso[2], iso[3]);
  const named = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]([a-z]{3,9})[-/., ]+(\d{4}|\d{2})$/i.exec(date);
  if (named !== null) return dayOf(named[3], monthOf(named[2]), named[1]);
  const before = /^([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(date);
  if (before !== null) return dayOf(before[3], monthOf(before[1]), before[2]);
  const [, first, second, year] = DAY_AND_MONTH.exec(date) ?? [];
  return dates === 'day_first' ? dayOf(year, second, first) : dayOf(year, first, second);
}

/** The moment of a date with a time, or of the midnight that begins it; null when the text is none. */
export function readTime(text: string, format: TimeFormat): Date | null {
  const day = writtenDay(text, format);
  const [, time = '00:00'] = splitTime(text);
  const parts = TIME.exec(time);
  if (day === null || parts === null) return null;
  const [, hour = '', minute = '', second = '00', fraction = '', half, offset] = parts;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && Number(hour) > 12)) return null;
  const wall = Date.parse(`${day}T${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  return new Date(offset === undefined ? inZone(wall, format.zone) : wall - offsetOf(offset));
}

/** The date without the day of the week, and the time after it. */
function splitTime(text: string): readonly [string | undefined, string | undefined] {
  const bare = text.trim().replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /i, '');
  const [, date, time] = /^(.*?)(?:(?:[T,]|\s)\s*(\d{1,2}:\d{2}.*))?$/i.exec(bare) ?? [];
  return [date?.trim(), time?.trim()];
}

function monthOf(name = ''): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function dayOf(year = '', month = '', day = ''): string | null {
  const text = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(text) ? text : null;
}

function offsetOf(offset: string): number {
  if (offset.toLowerCase() === 'wat') return 3_600_000;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const minutesAhead = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return (sign === '-' ? -minutesAhead : minutesAhead) * 60_000;
}

/** The moment at which clocks in a zone show what they show in UTC at `wall`. */
function inZone(wall: number, zone: string): number {
  const first = wall - aheadAt(wall, zone);
  return wall - aheadAt(first, zone);
}

/** The day of a moment in a zone. */
export function dayIn(moment: Date, zone: string): string {
  return dayText(new Date(moment.getTime() + aheadAt(moment.getTime(), zone)));
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** Offsets by zone and quarter of an hour, between which they do not change. */
const offsets = new Map<string, number>();
const OFFSETS_MAX = 10_000;
const QUARTER_MS = 900_000;

function aheadAt(moment: number, zone: string): number {
  const key = `${zone} ${Math.floor(moment / QUARTER_MS)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= OFFSETS_MAX) offsets.clear();
  const ahead = computeAhead(moment, zone);
  offsets.set(key, ahead);
  return ahead;
}

function computeAhead(moment: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const shown = Date.parse(`${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`);
  return shown - Math.floor(moment / 1_000) * 1_000;
}
