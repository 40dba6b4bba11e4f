import { isDay } from '#/format/calendar.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A day `2026-11-23` as a person reads it, the same in every country: `23 Nov 2026`; other text as it is. */
export function showDay(day: string): string {
  if (!isDay(day)) return day;
  const [year, month, date] = day.split('-');
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/**
 * The day that a text names: `23 Nov 2026`, `23 November 2026`, `Nov 23, 2026` or `2026-11-23`. Null for anything else, above all for
 * `04/05/2026`, which means two different days.
 */
export function readDay(text: string): string | null {
  const wanted = text.trim();
  if (isDay(wanted)) return wanted;
  const parts = /^(\d{1,2}) +([a-z]{3,9})\.?,? +(\d{4})$/i.exec(wanted) ?? null;
  const american = /^([a-z]{3,9})\.? +(\d{1,2}),? +(\d{4})$/i.exec(wanted);
  const [date, name, year] = parts !== null ? [parts[1], parts[2], parts[3]] : [american?.[2], american?.[1], american?.[3]];
  if (date === undefined || name === undefined || year === undefined) return null;
  const month = monthOf(name);
  if (month === null) return null;
  const day = `${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(day) ? day : null;
}

const LONG = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The number of a month by its name or the beginning of it. */
function monthOf(name: string): number | null {
  const at = LONG.findIndex((long) => long.startsWith(name.toLowerCase()));
  return at < 0 ? null : at + 1;
}

/** The time of day that a text names, `14:30`; also from `1430`, `9:05` and `9`. Null for anything else. */
export function readTime(text: string): string | null {
  const parts = /^(\d{1,2})(?::?(\d{2}))?$/.exec(text.trim());
  if (parts === null) return null;
  const [, hours = '', minutes = '00'] = parts;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
