import { beginOfDay, isDay } from './calendar.ts';
import { viewerZone, zonedFormat } from './zone.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = zonedFormat('en-GB', { day: 'numeric', month: 'short' });
const shortDayWithYear = zonedFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const isoDay = zonedFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });
const second = zonedFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' });
const exact = zonedFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});

/** How long ago, or until, in the largest whole unit: `12 s ago`, `in 4 min`; from a day on the day and the hour. */
export function describeMoment(value: Date, nowMs: number): string {
  const past = nowMs - value.getTime();
  const size = Math.abs(past);
  if (size < 5 * SECOND) return 'just now';
  if (size < DAY) return past > 0 ? `${describeLength(size)} ago` : `in ${describeLength(size)}`;
  const sameYear = isoDay.format(value).slice(0, 4) === isoDay.format(nowMs).slice(0, 4);
  return `${(sameYear ? shortDay : shortDayWithYear).format(value)}, ${clock.format(value)}`;
}

/** A length of time in its largest whole unit: `350 ms`, `12 s`, `4 min`, `3 h`, `2 d`. */
export function describeLength(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** A length of time to the tenth of a second: `12 ms`, `0.4 s`, `5.0 s`; minutes and more as {@link describeLength} has them. */
export function describeShortLength(ms: number): string {
  if (ms < SECOND / 10) return `${Math.max(0, Math.round(ms))} ms`;
  return ms < MINUTE ? `${(ms / SECOND).toFixed(1)} s` : describeLength(ms);
}

/** To the millisecond, with zone: `Sat, 21 Nov 2026, 14:02:11.123 WAT`. */
export function formatTimestamp(value: Date): string {
  return exact.format(value);
}

/** To the minute: `21 Nov, 14:02`. */
export function dayAndClockOf(value: Date): string {
  return `${shortDay.format(value)}, ${clock.format(value)}`;
}

/** To the second: `21 Nov, 14:02:11`. */
export function describeSecond(value: Date): string {
  return second.format(value);
}

/** `14:02` */
export function clockOf(value: Date): string {
  return clock.format(value);
}

/** The day a moment falls on, `2026-11-21`. */
export function dayOf(value: Date | number): string {
  return isoDay.format(value);
}

/** The first moment of a day `2026-11-21`, or null when there is no such day. */
export function startOfDay(day: string): Date | null {
  return isDay(day) ? beginOfDay(viewerZone(), day) : null;
}
