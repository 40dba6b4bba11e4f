/**
 * The verdict on rules that a share of customers is routed by: whether they are worse than those of the others. It may be looked at after
 * every customer, and its two error rates hold for all looks together, whatever the success rates do meanwhile.
 *
 * Customers are assigned at random, so that the mean of {@link effectOf}, given all before it, is the success rate under the draft minus
 * that under the live rules for this customer. Two gamblers bet on it with a capital of 1: one that the draft is no more than the tolerated
 * loss worse, the other that it is. A capital grows to 1/α with a chance of at most α where its bet is false (Ville's inequality).
 *
 * Sources: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS-B 2024; Howard, Ramdas, McAuliffe and
 * Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49(2), 2021.
 */

/** Greatest chance ever to promote a draft that is always worse by the tolerated loss or more. */
export const FALSE_PROMOTION_MAX = 0.05;

/** Greatest chance ever to roll back a draft that is never worse by more than the tolerated loss. */
export const FALSE_ROLLBACK_MAX = 0.01;

/** Bets risk at most this part of a capital. */
const STAKE_MAX = 0.5;

export type CanaryArm = 'draft' | 'live';

/** A customer's first payment since the canary began, once its horizon has passed. */
export interface CanaryUnit {
  readonly arm: CanaryArm;
  /** True if it was paid within the horizon. */
  readonly paid: boolean;
}

/** Terms that are set before a customer is assigned. */
export interface CanaryTerms {
  /** Share of customers that the draft routes: between 0 and 1, both exclusive. It may be another for each customer. */
  readonly share: number;
  /** Loss of success rate that is tolerated: 0.01 is one percentage point. */
  readonly toleratedLoss: number;
}

/** Customers of an arm, and how many of them paid. */
export interface ArmCount {
  readonly customers: number;
  readonly paid: number;
}

/** Everything that the customers so far amount to, to be stored as JSON. */
export type CanaryState = {
  readonly draft: ArmCount;
  readonly live: ArmCount;
  /** Sums over the effects of the customers so far, and over their squares. */
  readonly sum: number;
  readonly squares: number;
  /** Sum of the squared distances of effects from the mean of those before. */
  readonly spread: number;
  /** Largest distance from 0 that the effect of any of them could have had. */
  readonly reach: number;
  /** Natural logarithms of the two capitals. */
  readonly promote: number;
  readonly rollBack: number;
};

/** A canary without customers. */
export const NO_UNITS: CanaryState = {
  draft: { customers: 0, paid: 0 },
  live: { customers: 0, paid: 0 },
  sum: 0,
  squares: 0,
  spread: 0,
  reach: 0,
  promote: 0,
  rollBack: 0,
};

/** Customers of both arms. */
export function unitsOf({ draft, live }: CanaryState): number {
  return draft.customers + live.customers;
}

/** Largest distance of a customer's effect from 0. */
function reachOf({ share }: CanaryTerms): number {
  return Math.max(1 / share, 1 / (1 - share));
}

/**
 * The difference that one customer shows: its expectation is the success rate under the draft minus that under the live rules. What is
 * subtracted was known before, and only makes it vary less.
 */
function effectOf({ share }: CanaryTerms, before: CanaryState, { arm, paid }: CanaryUnit): number {
  const units = unitsOf(before);
  const usual = units === 0 ? 0.5 : (before.draft.paid + before.live.paid) / units;
  const beyond = (paid ? 1 : 0) - usual;
  return arm === 'draft' ? beyond / share : -beyond / (1 - share);
}

/** The bet that the effect's mean is above 0 by `mean`: the more certain, the higher. Known before the customer. */
function betOn(mean: number, variance: number, max: number): number {
  return mean <= 0 ? 0 : Math.min(mean / (variance + mean * mean), max);
}

/** Takes one customer in. Call it in the order in which the payments were initiated, once for each customer. */
export function takeUnit(terms: CanaryTerms, before: CanaryState, unit: CanaryUnit): CanaryState {
  const units = unitsOf(before);
  const effect = effectOf(terms, before, unit);
  const mean = units === 0 ? 0 : before.sum / units;
  const variance = units === 0 ? 0 : Math.max(0, before.squares / units - mean * mean);
  const reach = reachOf(terms);
  const stakeMax = STAKE_MAX / (reach + terms.toleratedLoss);
  const gain = effect + terms.toleratedLoss;
  const meanGain = units === 0 ? 0 : mean + terms.toleratedLoss;
  const distance = effect - Math.max(-1, Math.min(1, mean));
  const counted = before[unit.arm];
  const added = { customers: counted.customers + 1, paid: counted.paid + (unit.paid ? 1 : 0) };
  return {
    draft: unit.arm === 'draft' ? added : before.draft,
    live: unit.arm === 'live' ? added : before.live,
    sum: before.sum + effect,
    squares: before.squares + effect * effect,
    spread: before.spread + distance * distance,
    reach: Math.max(before.reach, reach),
    promote: before.promote + Math.log1p(betOn(meanGain, variance, stakeMax) * gain),
    rollBack: before.rollBack + Math.log1p(-betOn(-meanGain, variance, stakeMax) * gain),
  };
}

/** The decision of the customers so far; null while they decide nothing. */
export type CanaryVerdict = 'promote' | 'roll_back' | null;

/** The verdict of a state. Of a canary, the first one counts. */
export function verdictOf({ promote, rollBack }: CanaryState): CanaryVerdict {
  if (rollBack >= Math.log(1 / FALSE_ROLLBACK_MAX)) return 'roll_back';
  return promote >= Math.log(1 / FALSE_PROMOTION_MAX) ? 'promote' : null;
}

/** A difference of success rates, and where it lies with a confidence that holds at all looks together. */
export interface Difference {
  readonly estimate: number;
  readonly from: number;
  readonly to: number;
}

/** Chance that an interval ever leaves out the mean difference so far. */
export const INTERVAL_ERROR_MAX = 0.05;

/** Steps of the bets that are mixed, each 1/√2 of the one before: from bold ones for few customers to careful ones for millions. */
const MIXED_BETS = 24;

/**
 * The mean difference of success rates over the customers so far; null without any. The interval is the empirical-Bernstein one of Howard
 * et al. (theorem 4), mixed over {@link MIXED_BETS} bets. It holds for the mean over these customers, also while rates change.
 */
export function differenceOf(state: CanaryState): Difference | null {
  const units = unitsOf(state);
  if (units === 0) return null;
  const estimate = state.sum / units;
  const margin = marginOf(state.reach + 1, state.spread) / units;
  return { estimate, from: Math.max(-1, estimate - margin), to: Math.min(1, estimate + margin) };
}

/** Bound of a sum of deviations on either side, each less than `reach`, with a sum of squares of `spread`. */
function marginOf(reach: number, spread: number): number {
  const bound = Math.log(2 / INTERVAL_ERROR_MAX);
  const bets = Array.from({ length: MIXED_BETS }, (_, step) => {
    const part = 0.9 * Math.SQRT1_2 ** step;
    return { bet: part / reach, cost: (spread * (-Math.log1p(-part) - part)) / (reach * reach) };
  });
  const capital = (sum: number) => {
    const logs = bets.map(({ bet, cost }) => bet * sum - cost);
    const top = Math.max(...logs);
    return top + Math.log(logs.reduce((total, log) => total + Math.exp(log - top), 0) / bets.length);
  };
  let low = 0;
  let high = reach;
  while (capital(high) < bound) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (capital(middle) < bound) low = middle;
    else high = middle;
  }
  return high;
}
