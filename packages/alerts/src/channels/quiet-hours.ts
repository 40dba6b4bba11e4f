import { z } from 'zod';

const MINUTES_OF_DAY = 24 * 60;
const MINUTE_MS = 60_000;

const minuteOfDay = z
  .int('must be a time of day')
  .min(0, 'must be a time of day')
  .max(MINUTES_OF_DAY - 1, 'must be a time of day');

/** Hours in which a channel is told nothing. `from` and `to` are minutes of the day in the zone; over midnight where `from` is later. */
export const quietHoursSchema = z.object({
  zone: z.string().refine(isZone, 'must be a time zone'),
  from: minuteOfDay,
  to: minuteOfDay,
  /** True if messages about critical incidents are sent all the same. */
  criticalPasses: z.boolean(),
});

/** See {@link quietHoursSchema}. */
export type QuietHours = z.output<typeof quietHoursSchema>;

/** When a message may be sent: now, or once the quiet hours are over. */
export function quietUntil(hours: QuietHours | null, isCritical: boolean, now: Date): Date {
  if (hours === null || (isCritical && hours.criticalPasses)) return now;
  const minute = minuteIn(hours.zone, now);
  const length = (hours.to - hours.from + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const elapsed = (minute - hours.from + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  if (elapsed >= length) return now;
  // Over a change of the clocks this is off by it: what is due is looked at again before it is sent.
  const wholeMinute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  return new Date(wholeMinute + (length - elapsed) * MINUTE_MS);
}

/** Quiet hours as they were stored; null for none, and where they cannot be read. */
export function readQuietHours(stored: unknown): QuietHours | null {
  const parsed = quietHoursSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

function minuteIn(zone: string, at: Date): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hour = 0, minute = 0] = format.format(at).split(':').map(Number);
  return hour * 60 + minute;
}

function isZone(zone: string): boolean {
  return zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone);
}
