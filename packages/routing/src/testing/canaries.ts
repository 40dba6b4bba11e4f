import {
  type CanaryState,
  type CanaryTerms,
  type CanaryVerdict,
  differenceOf,
  NO_UNITS,
  takeUnit,
  verdictOf,
} from '../canary/canary.ts';

/** Chances of payment within the horizon, of the customer at a place in the order of a canary. */
export type Rates = (place: number) => { readonly draft: number; readonly live: number };

/** Numbers in [0, 1), the same for the same seed: mulberry32. */
export function drawsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** The terms of the customer at a place in the order of a canary. */
export type TermsAt = (place: number) => CanaryTerms;

/** One canary, looked at after every customer until its verdict, or until so many customers. */
export function runCanary(
  terms: CanaryTerms | TermsAt,
  rates: Rates,
  { customers, random }: { readonly customers: number; readonly random: () => number },
): { readonly verdict: CanaryVerdict; readonly customers: number; readonly state: CanaryState } {
  let state = NO_UNITS;
  for (let place = 0; place < customers; place += 1) {
    const own = typeof terms === 'function' ? terms(place) : terms;
    const arm = random() < own.share ? 'draft' : 'live';
    state = takeUnit(own, state, { arm, paid: random() < rates(place)[arm] });
    const verdict = verdictOf(state);
    if (verdict !== null) return { verdict, customers: place + 1, state };
  }
  return { verdict: null, customers, state };
}

/** How canaries ended, as parts of all. */
export interface Endings {
  readonly promoted: number;
  readonly rolledBack: number;
}

/** Runs many canaries and counts how they end. */
export function countEndings(
  terms: CanaryTerms | TermsAt,
  rates: Rates,
  { canaries, customers, seed }: { readonly canaries: number; readonly customers: number; readonly seed: number },
): Endings {
  const random = drawsFrom(seed);
  let [promoted, rolledBack] = [0, 0];
  for (let run = 0; run < canaries; run += 1) {
    const { verdict } = runCanary(terms, rates, { customers, random });
    if (verdict === 'promote') promoted += 1;
    if (verdict === 'roll_back') rolledBack += 1;
  }
  return { promoted: promoted / canaries, rolledBack: rolledBack / canaries };
}

/** Greatest part that `canaries` runs show of what has a chance of `bound`: three standard deviations more. */
export function withNoise(bound: number, canaries: number): number {
  return bound + 3 * Math.sqrt((bound * (1 - bound)) / canaries);
}

/** The loss that the canaries of these suites tolerate. */
export const LOSS = 0.01;

const usual = 0.85;

/** True during a quarter of an hour in a shop with three customers a minute, and again later. */
const isOut = (place: number) => place % 1_500 >= 400 && place % 1_500 < 600;

/** Rates at which the draft is worse by exactly the tolerated loss: the hardest case of both error rates at once. */
export const AT_THE_BOUNDARY: Readonly<Record<string, Rates>> = {
  flat: () => ({ draft: usual - LOSS, live: usual }),
  drifting: (place) => {
    const live = 0.75 + 0.15 * Math.sin(place / 150);
    return { draft: live - LOSS, live };
  },
  'outage in both arms': (place) => {
    const live = isOut(place) ? 0.2 : usual;
    return { draft: live - LOSS, live };
  },
  // The gateway of the draft reports slowly: the same customers pay in the end, and fewer of them within the horizon.
  'slow gateway with late successes': () => ({ draft: 0.9 * paidBy(HORIZON, SLOW), live: 0.9 * paidBy(HORIZON, FAST) }),
};

const HORIZON = 30;
/** Mean minutes until a payment is known to be paid. */
const FAST = 5;
/** As slow as makes the loss exactly the tolerated one. */
const SLOW = -HORIZON / Math.log(1 - (paidBy(HORIZON, FAST) - LOSS / 0.9));

function paidBy(horizon: number, mean: number): number {
  return 1 - Math.exp(-horizon / mean);
}

/** The draft is always worse by the tolerated loss or more, and by far while its gateway is out: it must not be promoted. */
export const ALWAYS_WORSE: Rates = (place) => ({ draft: isOut(place) ? 0.2 : usual - LOSS, live: usual });

/** The draft is never worse than tolerated, and better by far while the gateway of the others is out: it must not be rolled back. */
export const NEVER_WORSE: Rates = (place) => ({ draft: usual - LOSS, live: isOut(place) ? 0.2 : usual });

/** How many canaries of 1,200 customers had an interval, looked at after `every` so many customers, that left out the true difference. */
export function countMissed(
  termsAt: TermsAt,
  { canaries, every, seed }: { readonly canaries: number; readonly every: number; readonly seed: number },
): number {
  const truth = -0.03;
  const random = drawsFrom(seed);
  let missed = 0;
  for (let run = 0; run < canaries; run += 1) {
    let state = NO_UNITS;
    let isMissed = false;
    for (let place = 1; place <= 1_200; place += 1) {
      const terms = termsAt(place);
      const arm = random() < terms.share ? 'draft' : 'live';
      state = takeUnit(terms, state, { arm, paid: random() < (arm === 'draft' ? 0.85 + truth : 0.85) });
      if (place % every > 0) continue;
      const difference = differenceOf(state);
      isMissed ||= difference === null || truth < difference.from || truth > difference.to;
    }
    if (isMissed) missed += 1;
  }
  return missed;
}
