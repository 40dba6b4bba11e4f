import { calendarDay, startOfDay } from '@switchyard/runtime/calendar-days';

/** The default zone of day boundaries. */
export const RECONCILIATION_ZONE = 'Africa/Lagos';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** From its first moment, inclusive, to the first moment after it. */
export interface Day {
  /** `YYYY-MM-DD` by the calendar of the zone. */
  readonly day: string;
  readonly from: Date;
  readonly to: Date;
}

/** The bounds of a calendar day in a zone. Throws when the text is no day. */
export function dayOf(day: string, zone: string): Day {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { day, from: firstMoment(day, zone), to: firstMoment(next, zone) };
}

/** The last `count` days that were over at `now`, the latest first. */
export function finishedDays(now: Date, zone: string, count: number): Day[] {
  const today = Date.parse(`${calendarDay(now, zone)}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) => dayOf(new Date(today - (at + 1) * DAY_MS).toISOString().slice(0, 10), zone));
}

function firstMoment(day: string, zone: string): Date {
  const begin = Date.parse(`${day}T00:00:00Z`);
  // Noon in UTC is that day from 12 hours behind to 11 ahead, midnight in UTC further ahead.
  const moment = [begin + 12 * HOUR_MS, begin].find((time) => calendarDay(new Date(time), zone) === day);
  if (moment === undefined) throw new RangeError(`${day} is no day`);
  return startOfDay(new Date(moment), zone);
}
