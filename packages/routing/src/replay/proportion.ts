/** A share with its 95 % interval, each 0 to 1. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959963984540054;

/** Wilson's score interval of a proportion at 95 %. Nothing observed gives the whole range. */
export function wilson(successes: number, trials: number): Interval {
  if (trials === 0) return { estimate: 0.5, low: 0, high: 1 };
  const share = successes / trials;
  const spread = Z * Math.sqrt((share * (1 - share)) / trials + (Z * Z) / (4 * trials * trials));
  const centre = share + (Z * Z) / (2 * trials);
  const scale = 1 + (Z * Z) / trials;
  return { estimate: share, low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** One independent proportion and how much it weighs in a sum. */
export interface Term {
  readonly weight: number;
  readonly successes: number;
  readonly trials: number;
}

/**
 * A weighted sum of independent proportions with its 95 % interval: Newcombe's square-and-add of Wilson limits, which for
 * weights 1 and -1 is his interval of a difference.
 */
export function weightedSum(terms: readonly Term[]): Interval {
  let estimate = 0;
  let below = 0;
  let above = 0;
  for (const { weight, successes, trials } of terms) {
    const own = wilson(successes, trials);
    const down = weight * (weight > 0 ? own.estimate - own.low : own.estimate - own.high);
    const up = weight * (weight > 0 ? own.high - own.estimate : own.low - own.estimate);
    estimate += weight * own.estimate;
    below += down * down;
    above += up * up;
  }
  return { estimate, low: estimate - Math.sqrt(below), high: estimate + Math.sqrt(above) };
}
