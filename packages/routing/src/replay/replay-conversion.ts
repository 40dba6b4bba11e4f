import { formatHundredths, groupDigits, SHARE_FROM } from '../money.ts';

/** The observed results of one account and method. */
export interface Observed {
  readonly paid: number;
  readonly all: number;
}

/** Payments of one method that go from one account to another. */
export interface Flow {
  readonly method: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly payments: number;
}

/**
 * How many more of all replayed payments would have been paid, as a share (0.01 is one in a hundred). An estimate: it takes
 * each account to convert moved payments as it converted those of the same method that it served in the period, of which it needs
 * {@link SHARE_FROM}.
 */
export interface ConversionEstimate {
  readonly difference: number;
  /** 95 % interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** Moved payments that the estimate covers, and those it leaves out because an account on either side served too few. */
  readonly covered: number;
  readonly uncovered: number;
  /** One sentence that calls it an estimate. */
  readonly message: string;
}

/** Sums after fees of payments of one currency and method that move, if all were paid, in hundredths of the main unit. */
export interface ValueFlow extends Flow {
  readonly currency: string;
  /** Amounts less fees at `from` and at `to`; null where a fee is not known. */
  readonly net: { readonly from: number; readonly to: number } | null;
}

/** How much more the draft would have earned: what is left of paid payments after fees. Hundredths of the main unit. */
export interface EarnedEstimate {
  readonly currency: string;
  readonly difference: number;
  /** 95 % interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** Moved payments that the estimate covers, and those it leaves out: an account served too few, or has no fee schedule. */
  readonly covered: number;
  readonly uncovered: number;
  /** One sentence that calls it an estimate. */
  readonly message: string;
}

/** Estimates by currency what the flows would have earned, as {@link estimateConversion} estimates conversion. */
export function estimateEarned(observed: ReadonlyMap<string, Observed>, flows: readonly ValueFlow[]): EarnedEstimate[] {
  const byCurrency = Map.groupBy(flows, ({ currency }) => currency);
  return Array.from(byCurrency, ([currency, own]) => {
    const weights = new Map<string, number>();
    const add = (key: string, by: number) => weights.set(key, (weights.get(key) ?? 0) + by);
    const servedBy = (key: string) => observed.get(key)?.all ?? 0;
    let covered = 0;
    let uncovered = 0;
    for (const { method, from, to, payments, net } of own) {
      const [fromKey, toKey] = [`${method}|${from}`, `${method}|${to}`];
      if (net === null || servedBy(fromKey) < SHARE_FROM || servedBy(toKey) < SHARE_FROM) {
        uncovered += payments;
        continue;
      }
      covered += payments;
      add(fromKey, -net.from);
      add(toKey, net.to);
    }
    const { estimate, low, high } = weightedSum(termsOf(weights, observed));
    const rounded = { difference: Math.round(estimate), low: Math.round(low), high: Math.round(high) };
    return { currency, ...rounded, covered, uncovered, message: describeEarned(currency, rounded, covered, uncovered) };
  });
}

function describeEarned(
  currency: string,
  { difference, low, high }: Pick<EarnedEstimate, 'difference' | 'low' | 'high'>,
  covered: number,
  uncovered: number,
): string {
  if (covered === 0)
    return `Too little is known of the accounts concerned to estimate what this would have earned in ${currency}.`;
  const left = uncovered === 0 ? '' : ` It leaves out ${groupDigits(uncovered)} moved payments of which too little is known.`;
  const more = `${formatHundredths(currency, Math.abs(difference))} ${difference < 0 ? 'less' : 'more'}`;
  const interval = `between ${formatHundredths(currency, low)} and ${formatHundredths(currency, high)} with 95% confidence`;
  return `Estimate: this would have earned ${more} after fees on these payments, ${interval}.${left}`;
}

/** Estimates from `observed` (keyed `METHOD|accountId`) what the flows would change. */
export function estimateConversion(
  payments: number,
  observed: ReadonlyMap<string, Observed>,
  flows: readonly Flow[],
): ConversionEstimate {
  const weights = new Map<string, number>();
  const add = (key: string, by: number) => weights.set(key, (weights.get(key) ?? 0) + by / payments);
  const servedBy = (key: string) => observed.get(key)?.all ?? 0;
  let covered = 0;
  let uncovered = 0;
  for (const { method, from, to, payments: number } of flows) {
    const fromKey = `${method}|${from}`;
    const toKey = `${method}|${to}`;
    const isKnown = servedBy(fromKey) >= SHARE_FROM && servedBy(toKey) >= SHARE_FROM;
    if (!isKnown) {
      uncovered += number;
      continue;
    }
    covered += number;
    add(fromKey, -number);
    add(toKey, number);
  }
  const { estimate, low, high } = weightedSum(termsOf(weights, observed));
  return { difference: estimate, low, high, covered, uncovered, message: describe(estimate, low, high, covered, uncovered) };
}

function termsOf(weights: ReadonlyMap<string, number>, observed: ReadonlyMap<string, Observed>): Term[] {
  return Array.from(weights, ([key, weight]) => {
    const seen = observed.get(key) ?? { paid: 0, all: 0 };
    return { weight, successes: seen.paid, trials: seen.all };
  });
}

function describe(estimate: number, low: number, high: number, covered: number, uncovered: number): string {
  if (covered + uncovered === 0) return 'No payment moves, so conversion stays as it is.';
  if (covered === 0) return 'Too little is known of the accounts concerned to estimate the change in conversion.';
  const left = uncovered === 0 ? '' : ` It leaves out ${groupDigits(uncovered)} moved payments of which too little is known.`;
  const interval = `between ${points(low)} and ${points(high)} with 95% confidence`;
  return `Estimated change in conversion: ${points(estimate)} percentage points, ${interval}.${left}`;
}

function points(share: number): string {
  const rounded = Math.round(share * 10_000) / 100;
  return `${rounded > 0 ? '+' : ''}${(rounded === 0 ? 0 : rounded).toFixed(2)}`;
}

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
