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

/** Moments nearer than this are the present: a page's time moves on every five seconds. */
const PRESENT = 5 * SECOND;
/** Longer than this, a length is given in days. */
const DAY_FROM = 23.5 * HOUR;

/** How long ago, or until, in the nearest whole unit: `12 s ago`, `in 4 min`; from a day on the day and the hour. */
export function describeMoment(value: Date, nowMs: number): string {
  const past = nowMs - value.getTime();
  const size = Math.abs(past);
  if (size < PRESENT) return 'just now';
  if (size < DAY_FROM) return past > 0 ? `${describeLength(size)} ago` : `in ${describeLength(size)}`;
  return describeDayAndClock(value, nowMs);
}

/** The day and the hour, with the year where it is not the present one: `21 Nov, 14:02`. */
export function describeDayAndClock(value: Date, nowMs: number): string {
  const sameYear = isoDay.format(value).slice(0, 4) === isoDay.format(nowMs).slice(0, 4);
  return `${(sameYear ? shortDay : shortDayWithYear).format(value)}, ${clock.format(value)}`;
}

/** How long ago something happened; never in the future, whatever the clocks say. */
export function describePast(value: Date, nowMs: number): string {
  return describeMoment(value, Math.max(nowMs, value.getTime()));
}

/** How long until something is to happen, `in 4 min`; `now` once it is time, how late it is from a minute on, and the day and the hour from a day on. */
export function describeUpcoming(value: Date, nowMs: number): string {
  const left = value.getTime() - nowMs;
  if (left <= -MINUTE) return left > -DAY_FROM ? `${describeLength(-left)} overdue` : describeMoment(value, nowMs);
  return left < PRESENT ? 'now' : describeMoment(value, nowMs);
}

/** A length of time in the nearest whole unit: `350 ms`, `12 s`, `4 min`, `3 h`, `2 d`. */
export function describeLength(ms: number): string {
  if (Math.round(ms) < SECOND) return `${Math.round(ms)} ms`;
  if (Math.round(ms / SECOND) < 60) return `${Math.round(ms / SECOND)} s`;
  if (Math.round(ms / MINUTE) < 60) return `${Math.round(ms / MINUTE)} min`;
  if (ms < DAY_FROM) return `${Math.round(ms / HOUR)} h`;
  return `${Math.round(ms / DAY)} d`;
}

/** How long something lasted, in the two nearest units from an hour on: `4 min`, `2 h 30 min`, `3 d 4 h`. */
export function describeDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 60) return describeLength(ms);
  if (minutes < 24 * 60) return inTwo(minutes, 60, 'h', 'min');
  return inTwo(Math.round(ms / HOUR), 24, 'd', 'h');
}

function inTwo(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  return `${Math.floor(count / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** A length of time to the tenth of a second: `12 ms`, `0.4 s`, `5.0 s`; minutes and more as {@link describeLength} has them. */
export function describeShortLength(ms: number): string {
  if (ms < SECOND / 10) return `${Math.max(0, Math.round(ms))} ms`;
  return ms < 59.95 * SECOND ? `${(ms / SECOND).toFixed(1)} s` : describeLength(ms);
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
