import { clockOf, dayOf, startOfDay } from '#/format/moments.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The moment that `2026-11-21T14:30` is in the zone times are shown in; null for what is no time. */
export function readLocalTime(text: string): Date | null {
  const [, day = '', hours = '', minutes = ''] = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::\d{2})?$/.exec(text) ?? [];
  const start = startOfDay(day);
  if (start === null) return null;
  const guess = start.getTime() + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  // On days of a DST change the hours since midnight differ from the clock time.
  for (const shift of [0, HOUR_MS, -HOUR_MS]) {
    const moment = new Date(guess + shift);
    if (localTime(moment) === `${day}T${hours}:${minutes}`) return moment;
  }
  return null;
}

/** A moment as a field for times takes it: `2026-11-21T14:30`. */
export function localTime(moment: Date): string {
  return `${dayOf(moment)}T${clockOf(moment)}`;
}
