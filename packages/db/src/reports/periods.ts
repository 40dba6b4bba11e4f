/** How a stretch of time is read: from single payments, or from sums by hour or by day. */
export interface Part {
  readonly source: 'payments' | 'hours' | 'days';
  readonly from: Date;
  readonly to: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Lagos keeps UTC+1 all year. */
const DAY_OFFSET_MS = HOUR_MS;

/**
 * Splits [from, to) into parts that touch and do not overlap, the middle of it read from days where that is allowed, the hours
 * around it from hours, and only what is left of hours from single payments.
 */
export function splitPeriod(from: Date, to: Date, finest: { readonly days: boolean; readonly hours: boolean }): Part[] {
  const [begin, end] = [from.getTime(), to.getTime()];
  if (begin >= end) return [];
  if (!finest.hours) return [{ source: 'payments', from, to }];
  const [firstHour, lastHour] = [ceil(begin, HOUR_MS, 0), floor(end, HOUR_MS, 0)];
  if (firstHour >= lastHour) return [{ source: 'payments', from, to }];
  const [firstDay, lastDay] = [ceil(begin, DAY_MS, DAY_OFFSET_MS), floor(end, DAY_MS, DAY_OFFSET_MS)];
  const middle =
    finest.days && firstDay < lastDay
      ? [part('hours', firstHour, firstDay), part('days', firstDay, lastDay), part('hours', lastDay, lastHour)]
      : [part('hours', firstHour, lastHour)];
  return [part('payments', begin, firstHour), ...middle, part('payments', lastHour, end)].filter((one) => one.from < one.to);
}

function part(source: Part['source'], from: number, to: number): Part {
  return { source, from: new Date(from), to: new Date(to) };
}

function floor(at: number, step: number, offset: number): number {
  return Math.floor((at + offset) / step) * step - offset;
}

function ceil(at: number, step: number, offset: number): number {
  return Math.ceil((at + offset) / step) * step - offset;
}

/** Whether sums by hour, and by day in Lagos, are cut where a zone's own hours and days are, all through a period. */
export function sumsThatFit(zone: string, from: Date, to: Date): { readonly days: boolean; readonly hours: boolean } {
  let [days, hours] = [true, true];
  // Zones change at most a few times a year, at full quarters of an hour; every day is looked at, bounded by the longest period.
  for (let at = from.getTime(); ; at = Math.min(at + DAY_MS, to.getTime())) {
    const offset = offsetMs(zone, at);
    days &&= offset === DAY_OFFSET_MS;
    hours &&= offset % HOUR_MS === 0;
    if (at >= to.getTime() || !hours) return { days: days && hours, hours };
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMs(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours, minutes, seconds] = /^GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(name) ?? [];
  if (sign === undefined) return 0;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1_000;
  return sign === '-' ? -ms : ms;
}
