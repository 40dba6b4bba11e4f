import { addDecimals, subtractDecimals } from '#/format/decimals.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A payout with what reached the bank of it. */
export type BankPayout = RouterOutputs['settlements']['bank']['read']['payouts'][number];

/** Amounts of payouts together, in one currency. */
export interface BankSums {
  readonly currency: string;
  readonly paidOut: string;
  readonly arrived: string;
  readonly onTheWay: string;
  readonly missing: string;
  /** Difference between the money that came and the payouts it is of; negative where it is short. */
  readonly difference: string;
  /** Of payouts of days that no statement is of. */
  readonly notCovered: string;
}

/** An account's payouts of a day. */
export interface BankDay extends BankSums {
  readonly settledOn: string;
  readonly accountId: string;
  readonly payouts: readonly BankPayout[];
}

/** The sums of payouts by currency. */
export function sumByCurrency(payouts: readonly BankPayout[]): BankSums[] {
  return [...Map.groupBy(payouts, ({ currency }) => currency)].map(([currency, own]) => sumsOf(currency, own));
}

/** The payouts by day, account and currency, in their order. */
export function groupDays(payouts: readonly BankPayout[]): BankDay[] {
  const groups = Map.groupBy(payouts, ({ settledOn, accountId, currency }) => `${settledOn} ${accountId} ${currency}`);
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { settledOn, accountId, currency } = first;
    return [{ ...sumsOf(currency, own), settledOn, accountId, payouts: own }];
  });
}

function sumsOf(currency: string, payouts: readonly BankPayout[]): BankSums {
  const net = (...states: readonly BankPayout['state'][]) =>
    addDecimals(payouts.filter(({ state }) => states.includes(state)).map((payout) => payout.net));
  const arrived = addDecimals(payouts.flatMap((payout) => payout.arrived ?? []));
  return {
    currency,
    paidOut: addDecimals(payouts.map((payout) => payout.net)),
    arrived,
    onTheWay: net('on_the_way'),
    missing: net('missing'),
    difference: subtractDecimals(arrived, net('arrived', 'short', 'over')),
    notCovered: net('not_covered'),
  };
}
