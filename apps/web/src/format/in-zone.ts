import { clockOf } from './moments.ts';

const UTC_CLOCK = /\b([01]\d|2[0-3]):([0-5]\d) UTC\b/g;
const DAY = 24 * 3_600_000;

/**
 * Converts the clock times of a server's sentence, `14:02 UTC`, to the zone of the page: `15:02`. `near` is the moment the sentence
 * is about or was written at; each time is taken as its last occurrence up to then.
 */
export function sayInZone(sentence: string, near: Date): string {
  return sentence.replaceAll(UTC_CLOCK, (_, hours: string, minutes: string) => {
    const sameDay = new Date(near);
    sameDay.setUTCHours(Number(hours), Number(minutes), 0, 0);
    return clockOf(sameDay <= near ? sameDay : new Date(sameDay.getTime() - DAY));
  });
}
