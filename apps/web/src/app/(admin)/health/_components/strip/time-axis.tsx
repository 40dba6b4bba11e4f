import { addDays } from '#/format/calendar.ts';
import { clockOf, dayOf, startOfDay } from '#/format/moments.ts';
import { zonedFormat } from '#/format/zone.ts';

/** The times below a strip or a chart, `endsNow` as that has it. No label reaches beyond its ends, however narrow it is. */
export function TimeAxis({ from, to, end = 'now', endsNow = false }: { from: Date; to: Date; end?: string; endsNow?: boolean }) {
  return (
    <span
      className="@container/axis relative block h-4 overflow-hidden text-ink-faint text-xs tabular-nums leading-4 whitespace-nowrap"
      aria-hidden="true"
    >
      {timeTicks(from, to, endsNow).map(({ at, label, place, isSqueezed }) => (
        <span
          key={at.getTime()}
          className="absolute [transform:translateX(-50%)] @max-[280px]/axis:data-[squeezed=true]:hidden"
          data-squeezed={isSqueezed}
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
  /** Before minutes that are wider: a narrow axis has no room for its label. */
  readonly isSqueezed: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Labels nearer to the beginning or the end than these shares of the axis would be cut, or meet the word at the end. */
const MARGIN = { begin: 0.06, end: 0.2, wide: 0.15 };

/**
 * Round moments of a period, by the clock of the page: half hours, hours or days apart, two to four of them. Of a short period that ends now
 * also where its last minutes begin, which are wider.
 */
export function timeTicks(from: Date, to: Date, endsNow = false): TimeTick[] {
  const scale = timeScale(from, to, endsNow);
  const stepMs = stepOf(to.getTime() - from.getTime());
  const wide = endsNow && isWidened(from, to) ? new Date(to.getTime() - WIDE_MINUTES * MINUTE_MS) : null;
  const last = wide === null ? 1 - MARGIN.end : scale(wide.getTime()) - MARGIN.wide;
  const ticks: TimeTick[] = [];
  for (let day = dayOf(from); day <= dayOf(to); day = addDays(day, Math.max(1, stepMs / DAY_MS))) {
    const midnight = startOfDay(day)?.getTime() ?? 0;
    for (let ms = 0; ms < DAY_MS; ms += stepMs) {
      const at = midnight + ms;
      const place = scale(at);
      if (at >= from.getTime() && place >= MARGIN.begin && place <= last) {
        ticks.push({
          at: new Date(at),
          label: ms === 0 ? dayLabel(new Date(at)) : clockOf(new Date(at)),
          place,
          isSqueezed: wide !== null,
        });
      }
    }
  }
  if (wide === null) return ticks;
  return [...ticks, { at: wide, label: `${WIDE_MINUTES} min ago`, place: scale(wide.getTime()), isSqueezed: false }];
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

/** Where a moment, in ms since 1970, lies on the axis of a strip: 0 at its beginning, 1 at its end, not beyond either. */
export type TimeScale = (at: number) => number;

const WIDENED_UP_TO_MS = 3 * 60 * MINUTE_MS;
/** The last minutes of a short period, which fill half of its axis: there one sees what happens now. */
const WIDE_MINUTES = 15;
const WIDE_SHARE = 0.5;

/** True for a period so short that its last minutes are drawn wider than those before. */
function isWidened(from: Date, to: Date): boolean {
  const length = to.getTime() - from.getTime();
  return length > WIDE_MINUTES * MINUTE_MS && length <= WIDENED_UP_TO_MS;
}

/** The scale of a period; its last quarter of an hour fills half of a short one that ends now. */
export function timeScale(from: Date, to: Date, endsNow: boolean): TimeScale {
  const begin = from.getTime();
  const end = to.getTime();
  const between = (at: number, low: number, high: number) => Math.min(1, Math.max(0, (at - low) / Math.max(1, high - low)));
  if (!endsNow || !isWidened(from, to)) return (at) => between(at, begin, end);
  const wideFrom = end - WIDE_MINUTES * MINUTE_MS;
  return (at) => between(at, begin, wideFrom) * (1 - WIDE_SHARE) + between(at, wideFrom, end) * WIDE_SHARE;
}
