/** A query that is read again at an interval, as far as its page shows it. */
export interface PolledQuery {
  /** When its data was read, by the browser's clock in ms; where it has none, when the page first asked for it. */
  readonly updatedAt: number;
  readonly everyMs: number;
}

const BEATS = 2;
/** The least age of old data: a query of every second has missed nothing when one answer is late. */
const OLD_FROM_MS = 10_000;
/** The time that an answer may take. */
const ANSWER_MS = 2_000;

/** When the oldest data was read that has missed two beats, in ms by the browser's clock; null while all is fresh. */
export function oldestMissed(queries: readonly PolledQuery[], nowMs: number): number | null {
  const missed = queries.filter(
    ({ updatedAt, everyMs }) => nowMs - updatedAt > Math.max(BEATS * everyMs, OLD_FROM_MS) + ANSWER_MS,
  );
  return missed.length === 0 ? null : Math.min(...missed.map(({ updatedAt }) => updatedAt));
}
