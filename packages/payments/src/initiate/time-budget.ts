/** Longest that one try may take. */
const TRY_MAX_MS = 8_000;
/** A try that is begun gets at least this, even past the deadline. */
const TRY_MIN_MS = 500;
/** Kept for each account behind in the plan; an equal share of all that is left where there is less. */
const TRY_KEPT_MS = 2_000;

export interface TimeLeft {
  /** Until the deadline of all tries together. */
  readonly leftMs: number;
  /** What the account needs to answer, by its usual latency. */
  readonly accountMs: number;
  /** How many accounts of the plan come after this one. */
  readonly behind: number;
}

/**
 * How long a try at one account may take. Every account behind it keeps its time, so that all of the plan is tried before the
 * deadline. The last one gets all that is left: behind it there is nothing to go to, so that a slow answer is better than none.
 */
export function tryTimeoutMs({ leftMs, accountMs, behind }: TimeLeft): number {
  if (behind === 0) return Math.round(Math.min(TRY_MAX_MS, Math.max(TRY_MIN_MS, leftMs)));
  const keptMs = Math.min(TRY_KEPT_MS, leftMs / (behind + 1));
  return Math.round(Math.max(1, Math.min(TRY_MAX_MS, accountMs, leftMs - behind * keptMs)));
}
