import { type FaultPlan, mayLoseAnswers } from './faults.ts';
import type { Rng } from './rng.ts';

/** Behaviours of the customer at the checkout, and elsewhere, with how many of a hundred do so. */
const CUSTOMERS = [
  ['pays_by_card', 44],
  ['pays_by_transfer', 10],
  ['pays_less', 2],
  ['pays_more', 2],
  ['is_declined', 6],
  ['is_declined_then_pays', 4],
  ['walks_away', 10],
  ['pays_cents_more', 2],
  /** As much, of another currency. */
  ['pays_in_another_currency', 2],
  /** The same page in two tabs, both submitted at once. */
  ['pays_in_two_tabs', 4],
  /** At every gateway that opened a checkout for the payment, whether its address was ever given out or not. */
  ['pays_everywhere', 6],
  /** After the session has ended. */
  ['pays_late', 8],
  ['pays_everywhere_late', 4],
] as const;

/** How the merchant's server initiates the payment. */
const STARTS = [
  ['plainly', 60],
  /** Two requests with the same key at the same time. */
  ['twice_at_once', 20],
  /** Without a key; after a lost answer the 409 of the next try names the payment. */
  ['without_key', 10],
  /** Again with the same key, after the answer. */
  ['again_later', 10],
] as const;

const REFUNDS = [
  ['none', 60],
  ['whole', 14],
  ['part', 12],
  ['in_parts', 12],
  ['too_much', 2],
] as const;

/** Act of the gateway on the money of a payment long after it was paid. */
const LATER = [
  ['nothing', 86],
  ['is_reversed', 4],
  ['is_disputed_and_lost', 6],
  ['is_disputed_and_won', 4],
] as const;

export interface PaymentPlan {
  readonly number: number;
  readonly merchant: number;
  readonly merchantOrderId: string;
  /** From the beginning of the busy time. */
  readonly startMs: number;
  /** Whole naira. */
  readonly amount: number;
  readonly method: 'card' | 'transfer' | 'ussd' | null;
  readonly start: (typeof STARTS)[number][0];
  readonly customer: (typeof CUSTOMERS)[number][0];
  /** True if the customer first pays at every checkout but the one whose address was given out. */
  readonly paysElsewhereFirst: boolean;
  readonly thinkMs: number;
  /** True if the customer's browser returns to us. */
  readonly returns: boolean;
  /** How often the merchant verifies it. */
  readonly polls: number;
  readonly refund: (typeof REFUNDS)[number][0];
  /** How long after its payment the merchant asks for the refund. */
  readonly refundAfterMs: number;
  readonly later: (typeof LATER)[number][0];
}

/** The payments of a plan, in the order they begin. */
export function planPayments(
  draws: Rng,
  of: {
    readonly count: number;
    readonly merchants: number;
    readonly busyMs: number;
    readonly faults: readonly FaultPlan[];
    /** Prefix of order ids. */
    readonly prefix: string;
  },
): PaymentPlan[] {
  const starts = Array.from({ length: of.count }, () => draws.between(0, of.busyMs - 1)).sort((one, other) => one - other);
  return starts.map((startMs, at) => {
    // Paying at two gateways takes two open checkouts: customers who try it come when a fault may have opened a second.
    const mayPayTwice = mayLoseAnswers(of.faults, startMs) && draws.chance(0.7);
    return {
      number: at + 1,
      merchant: draws.between(0, of.merchants - 1),
      merchantOrderId: `${of.prefix}-${at + 1}`,
      startMs,
      amount: draws.between(100, 50_000),
      method: draws.pick(['card', 'card', 'transfer', 'ussd', null]),
      start: draws.weighted(STARTS),
      customer: mayPayTwice ? draws.pick(['pays_everywhere', 'pays_everywhere_late']) : draws.weighted(CUSTOMERS),
      paysElsewhereFirst: false,
      thinkMs: draws.between(0, 1_500),
      returns: draws.chance(0.75),
      polls: draws.pick([0, 0, 1, 1, 2, 3]),
      refund: draws.weighted(REFUNDS),
      refundAfterMs: 0,
      later: draws.weighted(LATER),
    };
  });
}
