/** A time range: `from` inclusive, `to` exclusive. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

const DAY_MS = 86_400_000;
const ZONES_MAX = 1_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * The formatter of a zone's calendar and clock, cached because creating one costs more than most queries. Throws for an unknown
 * zone.
 */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size >= ZONES_MAX) clocks.clear();
  clocks.set(zone, clock);
  return clock;
}

/** True if the name is an IANA time zone that this runtime knows. */
export function isTimeZone(name: string): boolean {
  try {
    return clockOf(name).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * The preceding period of the same length: whole months precede whole months of the zone, whatever their length; otherwise the same
 * number of days by the zone's clock.
 */
export function previousPeriod({ from, to }: Period, zone: string): Period {
  const begin = wallClock(from, zone);
  const end = wallClock(to, zone);
  const months = (end.year - begin.year) * 12 + end.month - begin.month;
  if (isMonthStart(begin) && isMonthStart(end) && months > 0) {
    return { from: moment({ ...begin, month: begin.month - months }, zone), to: from };
  }
  const length = asUtc(end) - asUtc(begin);
  const at = new Date(asUtc(begin) - length);
  const before = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(), ms: at.getTime() % DAY_MS };
  return { from: moment(before, zone), to: from };
}

/** The calendar day of a moment in a zone, `2026-11-21`. */
export function dayIn(zone: string, at: Date): string {
  const { year, month, day } = wallClock(at, zone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/**
 * The number of days, weeks or months from the start of a period to another step, named by its first day: 0 for the first, with or
 * without data.
 */
export function stepsSince(firstDay: string, day: string, step: 'day' | 'week' | 'month'): number {
  if (step === 'month') {
    const months = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
    return months(day) - months(firstDay);
  }
  const days = Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${firstDay}T00:00:00Z`)) / DAY_MS);
  // A period may begin within a week, whose Monday is then up to six days earlier.
  return step === 'day' ? days : Math.floor((days + 6) / 7);
}

/** The reading of a zone's calendar and clock. */
interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds since the day began. */
  readonly ms: number;
}

function isMonthStart({ day, ms }: WallClock): boolean {
  return day === 1 && ms === 0;
}

function asUtc({ year, month, day, ms }: WallClock): number {
  return Date.UTC(year, month - 1, day) + ms;
}

function wallClock(at: Date, zone: string): WallClock {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, ms: ((hour * 60 + minute) * 60 + second) * 1_000 + at.getMilliseconds() };
}

/** The moment at which a zone's clock reads this; where the clock skips it, the moment just after. */
function moment(shown: WallClock, zone: string): Date {
  const wanted = asUtc(shown);
  let at = wanted;
  for (let round = 0; round < 3; round++) at += wanted - asUtc(wallClock(new Date(at), zone));
  return new Date(at);
}
