const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delay from the end of one attempt to the next: 70 hours altogether. */
const DELAYS_MS: readonly number[] = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS, 14 * HOUR_MS, 14 * HOUR_MS, 14 * HOUR_MS],
];

/** Maximum share by which a delay is shortened at random, so that simultaneous failures are not retried simultaneously. */
const JITTER = 0.2;

/** Milliseconds to wait after this number of failed attempts in a row, or null to give up. `random` is in [0, 1). */
export function retryDelayMs(failedAttempts: number, random: number): number | null {
  const delay = DELAYS_MS[failedAttempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 - JITTER * random));
}
