import {
  type ConversionEstimate,
  type EarnedEstimate,
  estimateConversion,
  estimateEarned,
  type Observed,
  type ValueFlow,
} from './replay-conversion.ts';

/** How a payment ended; `open` has not ended yet and counts for no account's conversion. */
export type PastOutcome = 'paid' | 'unpaid' | 'open';

/** Payments by how they ended. */
type OutcomeCounts = Readonly<Record<PastOutcome, number>>;

/** Payments that the draft routes to another account first. */
interface Move {
  /** Account ids; null when no account takes the payment. */
  readonly from: string | null;
  readonly to: string | null;
  readonly payments: number;
  readonly outcomes: OutcomeCounts;
  /** Fees of the paid ones among them. */
  readonly fees: readonly FeeDifference[];
  /** Sum of their amounts per currency, main unit. */
  readonly amounts: Readonly<Record<string, bigint>>;
  /** Why, most frequent first; empty where the decisions in force were not taken again. */
  readonly why: readonly { readonly message: string; readonly payments: number }[];
  /** Ids of a few of them; none where they came counted. */
  readonly examples: readonly string[];
}

/** Fees of one currency, in hundredths of its main unit. Both sides are priced alike: by the accounts' contracts, or by effective rates. */
interface FeeDifference {
  readonly currency: string;
  readonly live: bigint;
  readonly draft: bigint;
  /** Draft minus live; negative is a saving. */
  readonly difference: bigint;
  /** Paid payments that were compared, and those left out because an account on either side has no fee schedule. */
  readonly compared: number;
  readonly unpriced: number;
}

/** Changes that a draft makes to a number of payments, compared with the rules in force, however they were decided a second time. */
export interface WhatMoves {
  readonly payments: number;
  readonly outcomes: OutcomeCounts;
  readonly moved: number;
  /** Largest first. */
  readonly moves: readonly Move[];
  /** First choice unchanged, fallbacks not. */
  readonly reordered: number;
  /** Fees of paid payments, by the draft against those by the rules in force. */
  readonly fees: readonly FeeDifference[];
  readonly conversion: ConversionEstimate;
  /** By currency of the payments that move. */
  readonly earned: readonly EarnedEstimate[];
}

/** Payments that are alike, decided by the rules in force and by a draft. */
export interface ComparedPayments {
  readonly payments: number;
  readonly currency: string;
  readonly method: string | null;
  /** Sum of their amounts, main unit. */
  readonly amount: bigint;
  readonly result: OrderComparison;
  /** The first account by the rules in force, and by the draft; null for none. */
  readonly from: string | null;
  readonly to: string | null;
  /** Sums of their fees at these accounts, in hundredths of the main unit; null where one has no fee schedule. */
  readonly fees: { readonly from: bigint; readonly to: bigint } | null;
  readonly outcome: PastOutcome;
  /** The account that was paid, else the one whose checkout the customer had; null when none opened. */
  readonly servedBy: string | null;
  /** Why they move; null where that is not known. */
  readonly why: string | null;
  /** The id of one of them; null where they came counted. */
  readonly example: string | null;
}

/** The accounts that are tried, in order: the same, the same first with others after it, or another first. */
export type OrderComparison = 'SAME' | 'REORDERED' | 'MOVED';

/** Compares the accounts that two decisions try, by their ids in order. */
export function compareOrders(live: readonly string[], draft: readonly string[]): OrderComparison {
  if (live[0] !== draft[0]) return 'MOVED';
  return live.length === draft.length && live.every((accountId, place) => accountId === draft[place]) ? 'SAME' : 'REORDERED';
}

/** A running sum of comparisons. Memory grows with the number of accounts and methods, not of payments. */
interface MovesTally {
  add(compared: ComparedPayments): void;
  /** The sum so far; may be read at any time. */
  result(): WhatMoves;
}

const EXAMPLES_MAX = 5;

/** Adds up what moves. Conversion is estimated from how the accounts converted the payments that were added themselves. */
export function newMovesTally(): MovesTally {
  const outcomes = { paid: 0, unpaid: 0, open: 0 };
  const moves = new Map<string, MoveTally>();
  const fees = new Map<string, FeeTally>();
  const observed = new Map<string, Observed>();
  const flows = new Map<string, ValueFlow>();
  let payments = 0;
  let reordered = 0;
  return {
    add(compared) {
      payments += compared.payments;
      outcomes[compared.outcome] += compared.payments;
      observe(observed, compared);
      if (compared.outcome === 'paid') addFees(fees, compared);
      if (compared.result === 'REORDERED') reordered += compared.payments;
      if (compared.result !== 'MOVED') return;
      addMove(moves, compared);
      addFlow(flows, compared);
    },
    result() {
      const found = Array.from(moves.values(), describeMove).sort((left, right) => right.payments - left.payments);
      const flowing = Array.from(flows.values());
      return {
        payments,
        outcomes: { ...outcomes },
        moved: found.reduce((sum, move) => sum + move.payments, 0),
        moves: found,
        reordered,
        fees: differencesOf(fees),
        conversion: estimateConversion(payments, observed, flowing),
        earned: estimateEarned(observed, flowing),
      };
    },
  };
}

interface MoveTally {
  readonly from: string | null;
  readonly to: string | null;
  payments: number;
  readonly outcomes: Record<PastOutcome, number>;
  readonly fees: Map<string, FeeTally>;
  readonly amounts: Record<string, bigint>;
  readonly why: Map<string, number>;
  readonly examples: string[];
}

interface FeeTally {
  live: bigint;
  draft: bigint;
  compared: number;
  unpriced: number;
}

/** Counts how the account that served converts, by method. */
function observe(observed: Map<string, Observed>, { method, servedBy, outcome, payments }: ComparedPayments): void {
  if (servedBy === null || outcome === 'open') return;
  const key = `${method ?? 'ANY'}|${servedBy}`;
  const seen = observed.get(key) ?? { paid: 0, all: 0 };
  observed.set(key, { paid: seen.paid + (outcome === 'paid' ? payments : 0), all: seen.all + payments });
}

function addFees(tally: Map<string, FeeTally>, { currency, fees, payments }: ComparedPayments): void {
  const sums = tally.get(currency) ?? { live: 0n, draft: 0n, compared: 0, unpriced: 0 };
  tally.set(currency, sums);
  if (fees === null) {
    sums.unpriced += payments;
    return;
  }
  sums.compared += payments;
  sums.live += fees.from;
  sums.draft += fees.to;
}

function addMove(tally: Map<string, MoveTally>, compared: ComparedPayments): void {
  const { from, to, payments, currency, amount, outcome, why, example } = compared;
  const key = `${from}>${to}`;
  const move = tally.get(key) ?? newMove(from, to);
  tally.set(key, move);
  move.payments += payments;
  move.outcomes[outcome] += payments;
  move.amounts[currency] = (move.amounts[currency] ?? 0n) + amount;
  if (outcome === 'paid') addFees(move.fees, compared);
  if (why !== null) move.why.set(why, (move.why.get(why) ?? 0) + payments);
  if (example !== null && move.examples.length < EXAMPLES_MAX) move.examples.push(example);
}

function newMove(from: string | null, to: string | null): MoveTally {
  const outcomes = { paid: 0, unpaid: 0, open: 0 };
  return { from, to, payments: 0, outcomes, fees: new Map(), amounts: {}, why: new Map(), examples: [] };
}

function addFlow(tally: Map<string, ValueFlow>, { currency, from, to, payments, amount, fees, ...rest }: ComparedPayments): void {
  const method = rest.method ?? 'ANY';
  const key = `${currency}|${method}|${from}>${to}|${fees !== null}`;
  const seen = tally.get(key) ?? { currency, method, from, to, payments: 0, net: fees === null ? null : { from: 0, to: 0 } };
  const netAt = (fee: bigint) => Number(amount * 100n - fee);
  const net =
    seen.net === null || fees === null ? null : { from: seen.net.from + netAt(fees.from), to: seen.net.to + netAt(fees.to) };
  tally.set(key, { ...seen, payments: seen.payments + payments, net });
}

function describeMove({ outcomes, fees, amounts, why, examples, ...move }: MoveTally): Move {
  return {
    ...move,
    outcomes: { ...outcomes },
    fees: differencesOf(fees),
    amounts: { ...amounts },
    examples: [...examples],
    why: Array.from(why, ([message, payments]) => ({ message, payments })).sort((a, b) => b.payments - a.payments),
  };
}

function differencesOf(fees: ReadonlyMap<string, FeeTally>): FeeDifference[] {
  return Array.from(fees, ([currency, sums]) => ({ currency, ...sums, difference: sums.draft - sums.live }));
}
