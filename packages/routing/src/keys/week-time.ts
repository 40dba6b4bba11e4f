import { WEEKDAYS, type Weekday } from '../types.ts';

/*
 * Times of rules are wall-clock minutes of a week in the merchant's zone, Monday 00:00 first. Analysis covers each of them once; where a
 * zone has daylight saving, some do not occur and some occur twice on two days of the year.
 */

export const DAY_MINUTES = 1_440;

export const WEEK_MINUTES = 7 * DAY_MINUTES;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone at a moment: `fri 18:30`. Throws for an unknown zone. */
export function weekTimeAt(moment: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  return format.format(moment).toLowerCase();
}

/** The minute of the week of `fri 18:30`; -1 for anything else. */
export function minuteOfWeek(time: string | undefined): number {
  if (time === undefined) return -1;
  const day = WEEKDAYS.findIndex((name) => time.startsWith(name));
  const minute = minuteOfDay(time.slice(4));
  return day < 0 || minute < 0 || minute === DAY_MINUTES || time[3] !== ' ' ? -1 : day * DAY_MINUTES + minute;
}

/** `fri 18:30`, of a minute of the week. */
export function weekTimeText(minute: number): string {
  return `${WEEKDAYS[Math.floor(minute / DAY_MINUTES)]} ${timeOfDay(minute % DAY_MINUTES)}`;
}

/** The minute of the day of `18:30`, `24:00` the last; -1 for anything else. */
export function minuteOfDay(text: string): number {
  if (!/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)) return -1;
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

/** `18:30`, of a minute of the day. */
export function timeOfDay(minute: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Minutes of a week, both ends inclusive. */
export interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

/** A rule's conditions on time. */
export interface TimeConditions {
  readonly weekdays?: readonly Weekday[];
  readonly hours?: { readonly from: string; readonly to: string };
}

/** The minutes of the week on which the conditions hold, in order; the whole week without conditions. */
export function minutesOf({ weekdays = WEEKDAYS, hours }: TimeConditions): MinuteRange[] {
  const from = hours === undefined ? 0 : minuteOfDay(hours.from);
  const to = hours === undefined ? DAY_MINUTES : minuteOfDay(hours.to);
  const ofDay: MinuteRange[] =
    from < to
      ? [{ from, to: to - 1 }]
      : [
          { from: 0, to: to - 1 },
          { from, to: DAY_MINUTES - 1 },
        ].filter((range) => range.from <= range.to);
  return WEEKDAYS.flatMap((day, at) =>
    weekdays.includes(day)
      ? ofDay.map((range) => ({ from: range.from + at * DAY_MINUTES, to: range.to + at * DAY_MINUTES }))
      : [],
  );
}
