import { dateOf, dayText } from '@switchyard/runtime/calendar-days';

const DAY_MS = 86_400_000;

/** The day so many calendar days after another, both `YYYY-MM-DD`; a negative number goes back. */
export function addDays(day: string, count: number): string {
  return dayText(new Date(dateOf(day).getTime() + count * DAY_MS));
}
