import { clockOf } from '../../../../format/moments.ts';
import { ZONE } from '../../../../format/zone.ts';

const day = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, weekday: 'narrow' });

/** `20 Nov, 14:02` */
export function dayAndClockOf(at: Date): string {
  return `${day.format(at)}, ${clockOf(at)}`;
}

/** `20 Nov` */
export function dayLabel(at: Date): string {
  return day.format(at);
}

/** `F` */
export function weekdayLetter(at: Date): string {
  return weekday.format(at);
}
