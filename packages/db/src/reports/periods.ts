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

type Step = 'day' | 'week' | 'month';

/**
 * Splits [from, to) as {@link splitPeriod} does, with no sum reaching over the beginning of one of a zone's own days, weeks or
 * months: where these begin within an hour, its payments are read one by one.
 */
export function splitInZone({ from, to, zone }: { from: Date; to: Date; zone: string }, steps: readonly Step[]): Part[] {
  const all = { days: true, hours: true };
  if (sumsThatFit(zone, from, to).days) return splitPeriod(from, to, all);
  const cuts = [from, ...beginnings({ from, to, zone }, steps), to];
  const parts = cuts.slice(1).flatMap((end, index) => splitPeriod(cuts[index] ?? from, end, all));
  const merged: Part[] = [];
  for (const one of parts) {
    const before = merged.at(-1);
    if (before?.source === one.source) merged[merged.length - 1] = { ...before, to: one.to };
    else merged.push(one);
  }
  return merged;
}

/** When the days, weeks or months of a zone begin inside a period. */
function beginnings({ from, to, zone }: { from: Date; to: Date; zone: string }, steps: readonly Step[]): Date[] {
  const found: Date[] = [];
  const firstDay = floor(from.getTime() + offsetMs(zone, from.getTime()), DAY_MS, 0);
  for (let day = firstDay; day <= to.getTime() + 2 * DAY_MS; day += DAY_MS) {
    const date = new Date(day);
    const monday = date.getUTCDay() === 1 && steps.includes('week');
    if (!steps.includes('day') && !monday && !(date.getUTCDate() === 1 && steps.includes('month'))) continue;
    const at = midnight(zone, day);
    if (at > from.getTime() && at < to.getTime()) found.push(new Date(at));
  }
  return found;
}

/** The first moment of a zone's day, given as its midnight would be in UTC; clocks that are moved just then included. */
function midnight(zone: string, day: number): number {
  const candidates = [day - offsetMs(zone, day - DAY_MS), day - offsetMs(zone, day + DAY_MS)];
  const [first, second] = [Math.min(...candidates), Math.max(...candidates)];
  return floor(first + offsetMs(zone, first), DAY_MS, 0) === day ? first : second;
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
