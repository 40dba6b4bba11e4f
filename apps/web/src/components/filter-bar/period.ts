import { startOfDay } from '../../format/moments.ts';
import { ZONE } from '../../format/zone.ts';

const short = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const shortDay = (day: string) => short.format(new Date(`${day}T00:00:00Z`));
const exact = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, dateStyle: 'medium', timeStyle: 'short' });

/** A period in a few words: `21 Nov`, `15 Nov to 21 Nov`, `since 15 Nov`. */
export function describePeriod(from: string, to: string): string {
  const moments = [from, to]
    .map((text) => (text.includes('T') ? Date.parse(text) : Number.NaN))
    .filter((at) => !Number.isNaN(at));
  if (moments.length > 0) return moments.map((at) => exact.format(at)).join(' to ');
  const first = startOfDay(from) === null ? null : shortDay(from);
  const last = startOfDay(to) === null ? null : shortDay(to);
  if (first !== null && last !== null) return first === last ? first : `${first} to ${last}`;
  if (first !== null) return `since ${first}`;
  return last === null ? '' : `until ${last}`;
}
