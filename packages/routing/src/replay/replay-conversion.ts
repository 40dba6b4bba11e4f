import { groupDigits } from '../money.ts';
import { SHARE_FROM } from '../shares.ts';
import { type Term, weightedSum } from './proportion.ts';

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
  const terms: Term[] = Array.from(weights, ([key, weight]) => {
    const seen = observed.get(key) ?? { paid: 0, all: 0 };
    return { weight, successes: seen.paid, trials: seen.all };
  });
  const { estimate, low, high } = weightedSum(terms);
  return { difference: estimate, low, high, covered, uncovered, message: describe(estimate, low, high, covered, uncovered) };
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
