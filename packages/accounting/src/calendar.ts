import { dateOf, dayText } from '@switchyard/runtime/calendar-days';

const DAY_MS = 86_400_000;

/** The day so many calendar days after another, both `YYYY-MM-DD`; a negative number goes back. */
export function addDays(day: string, count: number): string {
  return dayText(new Date(dateOf(day).getTime() + count * DAY_MS));
}

/** The first day of a month `YYYY-MM`. */
export function firstDay(month: string): string {
  return `${month}-01`;
}

/** The month so many months after another, both `YYYY-MM`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const months = year * 12 + number - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}
