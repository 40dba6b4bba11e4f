import { zonedFormat } from '#/format/zone.ts';

const day = zonedFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = zonedFormat('en-GB', { weekday: 'narrow' });

/** `20 Nov` */
export function dayLabel(at: Date): string {
  return day.format(at);
}

/** `F` */
export function weekdayLetter(at: Date): string {
  return weekday.format(at);
}
