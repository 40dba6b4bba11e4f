/** Lagos is an hour ahead of UTC all year. */
const LAGOS_OFFSET_MS = 3_600_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_DAYS = 35;

/** A clock and calendar reading in Lagos. */
export function lagos(at: number): { readonly hour: number; readonly weekday: number; readonly dayOfMonth: number } {
  const there = new Date(at + LAGOS_OFFSET_MS);
  return { hour: there.getUTCHours(), weekday: there.getUTCDay(), dayOfMonth: there.getUTCDate() };
}

/** The last midnight in Lagos before a moment. */
export function lagosMidnight(at: number): number {
  return Math.floor((at + LAGOS_OFFSET_MS) / DAY_MS) * DAY_MS - LAGOS_OFFSET_MS;
}

/** The outage of one gateway on a Friday evening. */
export interface Outage {
  readonly gateway: string;
  /** Epoch milliseconds. Every call fails from `from`, fewer and fewer from `easing`, none from `to`. */
  readonly from: number;
  readonly easing: number;
  readonly to: number;
  /** A sale on the same evening, which adds payments. */
  readonly rushFrom: number;
  readonly rushTo: number;
}

const FRIDAY = 5;

/** The last Friday evening that ended at least two hours before `endsAt`. */
export function outageBefore(endsAt: number): Outage {
  let midnight = lagosMidnight(endsAt);
  const at = (hour: number, minute: number): number => midnight + hour * HOUR_MS + minute * MINUTE_MS;
  while (lagos(midnight).weekday !== FRIDAY || at(22, 0) > endsAt) midnight -= DAY_MS;
  const times = { from: at(19, 8), easing: at(19, 31), to: at(19, 47), rushFrom: at(18, 30), rushTo: at(20, 30) };
  return { gateway: 'flutterwave', ...times };
}
