import { addDays } from '#/format/calendar.ts';
import { clockOf, dayOf, startOfDay } from '#/format/moments.ts';
import { zonedFormat } from '#/format/zone.ts';

/** The times below a strip or a chart. No label reaches beyond its ends, however narrow it is. */
export function TimeAxis({ from, to, end = 'now' }: { from: Date; to: Date; end?: string }) {
  return (
    <span
      className="relative block h-4 overflow-hidden text-ink-faint text-xs tabular-nums leading-4 whitespace-nowrap"
      aria-hidden="true"
    >
      {timeTicks(from, to).map(({ at, label, place }) => (
        <span
          key={at.getTime()}
          className="absolute [transform:translateX(-50%)]"
          style={{ left: `clamp(20px, ${place * 100}%, calc(100% - 56px))` }}
        >
          {label}
        </span>
      ))}
      <span className="absolute right-0">{end}</span>
    </span>
  );
}

/** A moment named on a time axis. */
interface TimeTick {
  readonly at: Date;
  /** `14:30`, or `20 Nov` at midnight. */
  readonly label: string;
  /** Where it is on the axis, 0 to 1. */
  readonly place: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Labels nearer to the beginning or the end than these shares of the axis would be cut, or meet the word at the end. */
const MARGIN = { begin: 0.06, end: 0.2 };

/** Round moments of a period, by the clock of the page: half hours, hours or days apart, two to four of them. */
export function timeTicks(from: Date, to: Date): TimeTick[] {
  const length = to.getTime() - from.getTime();
  const stepMs = stepOf(length);
  const ticks: TimeTick[] = [];
  for (let day = dayOf(from); day <= dayOf(to); day = addDays(day, Math.max(1, stepMs / DAY_MS))) {
    const midnight = startOfDay(day)?.getTime() ?? 0;
    for (let ms = 0; ms < DAY_MS; ms += stepMs) {
      const at = midnight + ms;
      const place = (at - from.getTime()) / length;
      if (place >= MARGIN.begin && place <= 1 - MARGIN.end) {
        ticks.push({ at: new Date(at), label: ms === 0 ? dayLabel(new Date(at)) : clockOf(new Date(at)), place });
      }
    }
  }
  return ticks;
}

function stepOf(lengthMs: number): number {
  if (lengthMs <= 3 * HOUR_MS) return 30 * MINUTE_MS;
  if (lengthMs <= 2 * DAY_MS) return 6 * HOUR_MS;
  return lengthMs <= 10 * DAY_MS ? 2 * DAY_MS : 7 * DAY_MS;
}

const day = zonedFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = zonedFormat('en-GB', { weekday: 'narrow' });

/** `20 Nov` */
export function dayLabel(at: Date): string {
  return day.format(at);
}

/** `F` */
export function weekdayLetter(at: Date): string {
  return weekday.format(at);
}
