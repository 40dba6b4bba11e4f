import { addDays, calendarDay, firstMoment } from '@switchyard/runtime/calendar-days';

/** The default zone of day boundaries. */
export const RECONCILIATION_ZONE = 'Africa/Lagos';

/** From its first moment, inclusive, to the first moment after it. */
export interface Day {
  /** `YYYY-MM-DD` by the calendar of the zone. */
  readonly day: string;
  readonly from: Date;
  readonly to: Date;
}

/** The bounds of a calendar day in a zone. Throws when the text is no day. */
export function dayOf(day: string, zone: string): Day {
  return { day, from: firstMoment(day, zone), to: firstMoment(addDays(day, 1), zone) };
}

/** The last `count` days that were over at `now`, the latest first. */
export function finishedDays(now: Date, zone: string, count: number): Day[] {
  const today = calendarDay(now, zone);
  return Array.from({ length: count }, (_, at) => dayOf(addDays(today, -at - 1), zone));
}
