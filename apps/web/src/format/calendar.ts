/*
 * Calendar days and clock times in any zone, as text: `2026-11-21`, `2026-11-21T14:30`.
 */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const weekdayOf = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

const fullDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });

/** A calendar day with its year: `20 Nov 2026`. */
export function formatFullDay(day: string): string {
  return fullDay.format(new Date(`${day}T12:00:00Z`));
}

/** The weekday of a calendar day: `Fri`. */
export function formatWeekday(day: string): string {
  return weekdayOf.format(new Date(`${day}T12:00:00Z`));
}

/** Day and month of a calendar day: `20 Nov`. */
export function formatDayAndMonth(day: string): string {
  return dayAndMonth.format(new Date(`${day}T12:00:00Z`));
}

/** A calendar day for display: `Fri 20 Nov`. */
export function formatDay(day: string): string {
  return `${formatWeekday(day)} ${formatDayAndMonth(day)}`;
}

/** The day some days after another; before it when `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first day of the next day, week or month. */
export function nextStart(day: string, step: 'day' | 'week' | 'month'): string {
  if (step === 'day') return addDays(day, 1);
  if (step === 'week') return addDays(day, 7);
  return `${addDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`;
}

/** The first day of the day, week or month that contains a day. */
export function startOf(day: string, step: 'day' | 'week' | 'month'): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`;
  if (step === 'day') return day;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** True if a text is a day of the calendar, as `2026-02-28`; `2026-02-30` is not. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}

/** True if the browser has a time zone with this IANA name. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format costs far more than using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(zone, made);
  return made;
}

/** Date and time of a zone's clocks at a moment: `2026-11-21T14:30`. */
export function clockIn(zone: string, at: number): string {
  return formatOf(zone).format(at).replace(' ', 'T');
}

/** The first moment at which a zone's clocks show this time or later: a change of offset may skip it. Invalid for other text. */
export function momentIn(zone: string, clock: string): Date {
  // Browsers read dates out of other text: `soon:00Z` is one of 2000.
  const guess = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(clock) ? Date.parse(`${clock}:00Z`) : Number.NaN;
  if (Number.isNaN(guess)) return new Date(Number.NaN);
  const offset = Date.parse(`${clockIn(zone, guess)}:00Z`) - guess;
  // The offset may differ at that time: no change is larger than two hours, and offsets are whole quarters of an hour.
  for (let at = guess - offset - 2 * HOUR_MS; at <= guess - offset + 2 * HOUR_MS; at += HOUR_MS / 4) {
    if (clockIn(zone, at) >= clock) return new Date(at);
  }
  return new Date(guess - offset);
}

/** True if a moment was read from a valid text. */
export function isMoment(value: Date): boolean {
  return !Number.isNaN(value.getTime());
}

/** The first moment of a day in a zone. */
export function beginOfDay(zone: string, day: string): Date {
  return momentIn(zone, `${day}T00:00`);
}

const monthName = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' });

/** A month in words: `Oct 2026`. */
export function describeMonth(month: string): string {
  return monthName.format(new Date(`${month}-15T00:00:00Z`));
}
