/** Maximum time of one attempt. */
export const TRY_MAX_MS = 8_000;
/** A payment still INITIATED this long after its budget belongs to a dead process. */
export const GRACE_MS = 10_000;
/** Minimum time of a started attempt, even past the deadline. */
const TRY_MIN_MS = 500;
/** Reserved for each later account of the plan; an equal share of the rest where there is less. */
const TRY_KEPT_MS = 2_000;

/** Inputs of the timeout of one attempt, in milliseconds. */
export interface TimeBudget {
  /** Until the deadline of all attempts. */
  readonly leftMs: number;
  /** The time the account needs to answer, by its usual latency. */
  readonly accountMs: number;
  /** The number of accounts of the plan after this one. */
  readonly behind: number;
}

/**
 * The time for an attempt at one account. Every later account keeps its reserve, so that the whole plan is tried before the
 * deadline. The last one gets the whole rest: there is no fallback, so a slow answer is better than none.
 */
export function tryTimeoutMs({ leftMs, accountMs, behind }: TimeBudget): number {
  if (behind === 0) return Math.round(Math.min(TRY_MAX_MS, Math.max(TRY_MIN_MS, leftMs)));
  const keptMs = Math.min(TRY_KEPT_MS, leftMs / (behind + 1));
  return Math.round(Math.max(1, Math.min(TRY_MAX_MS, accountMs, leftMs - behind * keptMs)));
}
