import { addDecimals, compareDecimals, magnitude, subtractDecimals } from '@switchyard/db/decimals';
import { addWorkingDays } from '../calendar.ts';

/** A payout with the credits that it was matched with. */
export interface PayoutWithCredits {
  readonly settlementId: string;
  readonly accountId: string;
  readonly settledOn: string;
  /** Exact decimal of the main unit. */
  readonly net: string;
  readonly credits: readonly PayoutCredit[];
}

/** A credit, which may pay other payouts too. */
export interface PayoutCredit {
  readonly bankLineId: string;
  readonly amount: string;
  readonly bookedOn: string;
}

/** The days that a merchant's statements cover. */
export interface Coverage {
  readonly from: string;
  readonly to: string;
}

/**
 * How the bank has a payout. `on_the_way`: it may still come. `missing`: the statements go on past the days that a bank takes. `not_covered`: no
 * statement is of its day.
 */
export type ArrivalState = 'arrived' | 'short' | 'over' | 'on_the_way' | 'missing' | 'not_covered';

/** The arrival of a payout at the bank. */
export interface Arrival {
  readonly state: ArrivalState;
  /** Exact decimal of the main unit; null where nothing did. */
  readonly arrived: string | null;
  /** Day of the last credit. */
  readonly arrivedOn: string | null;
  /** The last day on which it is not missing. */
  readonly expectedOn: string;
}

/**
 * The arrival of each payout at the bank. Only accounts of which something came are on the statements: others may be paid out to another bank.
 * A credit that pays several counts for each with its net amount, and what is left of it, or lacks, for the
 * latest of them: together they have what came. Pure.
 */
export function judgeArrivals(
  payouts: readonly PayoutWithCredits[],
  coverage: { readonly days: Coverage | null; readonly accountIds: ReadonlySet<string> },
  { workingDays, toleranceOf }: { readonly workingDays: number; readonly toleranceOf: (settlementId: string) => string },
): ReadonlyMap<string, Arrival> {
  const sharing = new Map<string, PayoutWithCredits[]>();
  for (const payout of payouts) {
    for (const { bankLineId } of payout.credits) sharing.set(bankLineId, [...(sharing.get(bankLineId) ?? []), payout]);
  }
  return new Map(
    payouts.map((payout): [string, Arrival] => {
      const shares = payout.credits.map((credit) => shareOf(payout, credit, sharing.get(credit.bankLineId) ?? []));
      const arrived = shares.length === 0 ? null : addDecimals(...shares);
      const arrivedOn =
        payout.credits
          .map(({ bookedOn }) => bookedOn)
          .toSorted()
          .at(-1) ?? null;
      const expectedOn = addWorkingDays(payout.settledOn, workingDays, []);
      const covered = coverage.accountIds.has(payout.accountId) ? coverage.days : null;
      const tolerance = toleranceOf(payout.settlementId);
      return [
        payout.settlementId,
        { state: stateOf(payout, { arrived, expectedOn, coverage: covered, tolerance }), arrived, arrivedOn, expectedOn },
      ];
    }),
  );
}

function shareOf(payout: PayoutWithCredits, credit: PayoutCredit, sharing: readonly PayoutWithCredits[]): string {
  if (sharing.length < 2) return credit.amount;
  const last = sharing.toSorted((a, b) => (a.settledOn + a.settlementId < b.settledOn + b.settlementId ? -1 : 1)).at(-1);
  if (last?.settlementId !== payout.settlementId) return payout.net;
  const others = sharing.filter(({ settlementId }) => settlementId !== payout.settlementId).map(({ net }) => net);
  return subtractDecimals(credit.amount, addDecimals(...others));
}

function stateOf(
  { net, settledOn }: PayoutWithCredits,
  {
    arrived,
    expectedOn,
    coverage,
    tolerance,
  }: {
    readonly arrived: string | null;
    readonly expectedOn: string;
    readonly coverage: Coverage | null;
    readonly tolerance: string;
  },
): ArrivalState {
  if (arrived !== null) {
    const difference = subtractDecimals(arrived, net);
    if (compareDecimals(magnitude(difference), tolerance) <= 0) return 'arrived';
    return difference.startsWith('-') ? 'short' : 'over';
  }
  if (coverage === null || settledOn < coverage.from) return 'not_covered';
  return coverage.to <= expectedOn ? 'on_the_way' : 'missing';
}
