const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** From the end of one try to the next: 70 hours altogether. */
const DELAYS_MS: readonly number[] = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS, 14 * HOUR_MS, 14 * HOUR_MS, 14 * HOUR_MS],
];

/** By how much of itself a delay may be shorter, so that what failed together does not return together. */
const JITTER = 0.2;

/** Milliseconds to wait after the given number of failed tries in a row, or null to give up. `random` lies in [0, 1). */
export function retryDelayMs(failedTries: number, random: number): number | null {
  const delay = DELAYS_MS[failedTries - 1];
  return delay === undefined ? null : Math.round(delay * (1 - JITTER * random));
}
