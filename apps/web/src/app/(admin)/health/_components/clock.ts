import { ZONE } from '../../../../format/zone.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, weekday: 'narrow' });

/** `20 Nov, 14:02` */
export function dayAndClockOf(at: Date): string {
  return `${day.format(at)}, ${clock.format(at)}`;
}

/** `20 Nov` */
export function dayLabel(at: Date): string {
  return day.format(at);
}

/** `F` */
export function weekdayLetter(at: Date): string {
  return weekday.format(at);
}
