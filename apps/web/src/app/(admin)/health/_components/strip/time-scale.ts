/** Where a moment, in ms since 1970, lies on the axis of a strip: 0 at its beginning, 1 at its end, not beyond either. */
export type TimeScale = (at: number) => number;

const MINUTE_MS = 60_000;
const WIDENED_UP_TO_MS = 3 * 60 * MINUTE_MS;
/** The last minutes of a short period, which fill half of its axis: there one sees what happens now. */
export const WIDE_MINUTES = 15;
const WIDE_SHARE = 0.5;

/** True for a period so short that its last minutes are drawn wider than those before. */
export function isWidened(from: Date, to: Date): boolean {
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
