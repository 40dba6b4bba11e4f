import type { FaultKind, FaultPlan } from './faults.ts';
import type { Rng } from './rng.ts';

/** What the customer does at the checkout, and elsewhere, with how many of a hundred do so. */
const CUSTOMERS = [
  ['pays_by_card', 44],
  ['pays_by_transfer', 10],
  ['pays_less', 2],
  ['pays_more', 2],
  ['is_declined', 6],
  ['is_declined_then_pays', 4],
  ['walks_away', 10],
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
  ['plainly', 70],
  /** Two requests with the same key at the same time. */
  ['twice_at_once', 10],
  /** Without a key; after a lost answer the 409 of the next try names the payment. */
  ['without_key', 10],
  /** Again with the same key, after the answer. */
  ['again_later', 10],
] as const;

const REFUNDS = [
  ['none', 80],
  ['whole', 8],
  ['part', 5],
  ['in_parts', 5],
  ['too_much', 2],
] as const;

export interface PaymentPlan {
  readonly number: number;
  readonly merchant: number;
  readonly merchantOrderId: string;
  /** From the beginning of its round. */
  readonly startMs: number;
  /** Whole naira. */
  readonly amount: number;
  readonly method: 'card' | 'transfer' | 'ussd' | null;
  readonly start: (typeof STARTS)[number][0];
  readonly customer: (typeof CUSTOMERS)[number][0];
  readonly thinkMs: number;
  /** Whether the customer's browser returns to us. */
  readonly returns: boolean;
  /** How often the merchant verifies it. */
  readonly polls: number;
  readonly refund: (typeof REFUNDS)[number][0];
}

/** Faults that can lose the answer to an opened checkout. */
const LOSING: readonly FaultKind[] = ['slow', 'broken_json', 'huge_body', 'timeout_after_create', 'kill_web'];

/** The payments of one round, in the order they begin. */
export function planPayments(
  rng: Rng,
  of: {
    readonly first: number;
    readonly count: number;
    readonly merchants: number;
    readonly roundMs: number;
    readonly faults: readonly FaultPlan[];
    readonly prefix: string;
  },
): PaymentPlan[] {
  const starts = Array.from({ length: of.count }, () => rng.between(0, of.roundMs - 1)).sort((one, other) => one - other);
  return starts.map((startMs, at) => {
    const number = of.first + at;
    // Paying at two gateways takes two open checkouts: customers who try it come when a fault may have opened a second.
    const doubtful = of.faults.some(
      ({ kind, atMs, lengthMs }) => LOSING.includes(kind) && startMs >= atMs - 500 && startMs <= atMs + lengthMs,
    );
    return {
      number,
      merchant: rng.between(0, of.merchants - 1),
      merchantOrderId: `${of.prefix}-${number}`,
      startMs,
      amount: rng.between(100, 50_000),
      method: rng.pick(['card', 'card', 'transfer', 'ussd', null]),
      start: rng.weighted(STARTS),
      customer: doubtful && rng.chance(0.7) ? rng.pick(['pays_everywhere', 'pays_everywhere_late']) : rng.weighted(CUSTOMERS),
      thinkMs: rng.between(0, 1_500),
      returns: rng.chance(0.75),
      polls: rng.pick([0, 0, 1, 1, 2, 3]),
      refund: rng.weighted(REFUNDS),
    };
  });
}
