import { clockOf, datedClockOf } from './moments.ts';

/** `22 Nov 2026, 14:02 UTC` */
const UTC_MOMENT = /\b(\d{1,2} [A-Z][a-z]{2} \d{4}), ((?:[01]\d|2[0-3]):[0-5]\d) UTC\b/g;
const UTC_CLOCK = /\b([01]\d|2[0-3]):([0-5]\d) UTC\b/g;
const DAY = 24 * 3_600_000;

/**
 * Converts the clock times of a server's sentence, `14:02 UTC`, to the zone of the page: `15:02`. `near` is the moment the sentence
 * is about or was written at; each time without a date is taken as its last occurrence up to then.
 */
export function sayInZone(sentence: string, near: Date): string {
  const dated = sentence.replaceAll(UTC_MOMENT, (_, day: string, time: string) => datedClockOf(new Date(`${day} ${time} UTC`)));
  return dated.replaceAll(UTC_CLOCK, (_, hours: string, minutes: string) => {
    const sameDay = new Date(near);
    sameDay.setUTCHours(Number(hours), Number(minutes), 0, 0);
    return clockOf(sameDay <= near ? sameDay : new Date(sameDay.getTime() - DAY));
  });
}
