import type { RollupStep } from '@switchyard/db/client';
import { DAY_ZONE } from './payment-rollups.ts';

/** A part of a period and its source: single payments, or roll-ups of this step. */
export interface Part {
  readonly source: 'payments' | RollupStep;
  readonly from: Date;
  readonly to: Date;
}

/** Calendar steps that queries may group by. */
type Step = 'day' | 'week' | 'month';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Lagos keeps UTC+1 all year. */
const LAGOS_MS = HOUR_MS;
const LONGEST_FIRST: readonly RollupStep[] = ['day', 'hour'];

/**
 * Splits [from, to) into parts that touch and do not overlap: as much as possible is read from the longest roll-ups,
 * the rest on either side from shorter ones, and only parts of hours from single payments.
 */
export function splitPeriod(from: Date, to: Date): Part[] {
  return split(from.getTime(), to.getTime(), LONGEST_FIRST);
}

function split(begin: number, end: number, [step, ...shorter]: readonly RollupStep[]): Part[] {
  if (begin >= end) return [];
  if (step === undefined) return [{ source: 'payments', from: new Date(begin), to: new Date(end) }];
  const first = firstFrom(step, begin);
  const last = lastUntil(step, end);
  if (first >= last) return split(begin, end, shorter);
  const middle: Part = { source: step, from: new Date(first), to: new Date(last) };
  return [...split(begin, first, shorter), middle, ...split(last, end, shorter)];
}

/** The last beginning of a period in Lagos that is not after a moment. */
function lastUntil(step: RollupStep, at: number): number {
  switch (step) {
    case 'hour':
      return floor(at, HOUR_MS, 0);
    case 'day':
      return floor(at, DAY_MS, LAGOS_MS);
    default:
      return step satisfies never;
  }
}

function floor(at: number, step: number, offset: number): number {
  return Math.floor((at + offset) / step) * step - offset;
}

/** The first beginning of a period in Lagos that is not before a moment. */
function firstFrom(step: RollupStep, at: number): number {
  const last = lastUntil(step, at);
  return last === at ? at : last + { hour: HOUR_MS, day: DAY_MS }[step];
}

/**
 * Splits [from, to) as {@link splitPeriod} does, with no roll-up spanning the beginning of one of a zone's own days, weeks or
 * months: where these begin within an hour, its payments are read one by one.
 */
export function splitInZone({ from, to, zone }: { from: Date; to: Date; zone: string }, steps: readonly Step[]): Part[] {
  const cuts = [from, ...beginnings({ from, to, zone }, steps), to];
  const merged: Part[] = [];
  for (const one of cuts.slice(1).flatMap((end, index) => splitPeriod(cuts[index] ?? from, end))) {
    const before = merged.at(-1);
    if (before?.source === one.source) merged[merged.length - 1] = { ...before, to: one.to };
    else merged.push(one);
  }
  return merged;
}

/** When the days, weeks or months of a zone begin inside a period. */
function beginnings({ from, to, zone }: { from: Date; to: Date; zone: string }, steps: readonly Step[]): Date[] {
  const found: Date[] = [];
  if (steps.length === 0) return found;
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

/** The first moment of a zone's day, given as its midnight would be in UTC; handles clock changes at midnight. */
function midnight(zone: string, day: number): number {
  if (zone === DAY_ZONE) return day - LAGOS_MS;
  const candidates = [day - offsetMs(zone, day - DAY_MS), day - offsetMs(zone, day + DAY_MS)];
  const first = Math.min(...candidates);
  const second = Math.max(...candidates);
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
