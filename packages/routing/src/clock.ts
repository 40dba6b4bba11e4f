/**
 * How sentences write times. Facts hold instants; a sentence is made for one reader with one clock. What is stored and what the REST
 * API answers is written in UTC.
 */
export interface Clock {
  /** The time of day of an instant in ISO 8601: `14:02 UTC`, or `15:02` in a reader's own zone. */
  timeOf(iso: string): string;
  /** With the day: `22 Nov 2026, 14:02 UTC`. */
  dateAndTimeOf(iso: string): string;
}

/** Names the zone, because its readers are in any. */
export const UTC_CLOCK: Clock = clockOf('UTC', ' UTC');

/** The clock of a reader in an IANA zone, which it does not name; in UTC the same as {@link UTC_CLOCK}. Throws for an unknown zone. */
export function clockIn(zone: string): Clock {
  return zone === 'UTC' ? UTC_CLOCK : clockOf(zone, '');
}

function clockOf(timeZone: string, suffix: string): Clock {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const dateAndTime = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return {
    timeOf: (iso) => `${time.format(new Date(iso))}${suffix}`,
    dateAndTimeOf: (iso) => `${dateAndTime.format(new Date(iso))}${suffix}`,
  };
}
