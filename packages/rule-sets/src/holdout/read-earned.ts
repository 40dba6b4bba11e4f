import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { type ArmCount, type Difference, differenceOf } from '@switchyard/routing/canary';
import { readCanaryState } from '../rows/canaries.ts';
import { type HoldoutMonthRow, listHoldoutMonths } from '../rows/holdouts.ts';

/** Customers of one side in a month, by their first payments. Money of those that were paid, as exact decimals. */
export interface EarnedSide extends ArmCount {
  readonly amount: string;
  readonly fees: string;
}

/** Money that routing earned, in whole main units. */
export interface EarnedMoney {
  readonly estimate: number;
  readonly from: number;
  readonly to: number;
}

/** Earnings of routing in a month, in one currency. */
export interface EarnedMonth {
  readonly merchantId: string;
  /** `2026-11`, of the merchant's zone. */
  readonly month: string;
  readonly currency: string;
  /** Share of customers held out; the smallest where it was changed. */
  readonly percent: number;
  readonly routed: EarnedSide;
  readonly heldOut: EarnedSide;
  /** All payments that rules routed: what the difference is extrapolated to. */
  readonly payments: number;
  /** Success rate by the rules minus that by the default order; null without customers on both sides. */
  readonly difference: Difference | null;
  /** Null while too little is known to say so. */
  readonly earned: EarnedMoney | null;
  /** About how many weeks of such traffic would be enough; null where it is enough, or nothing is known yet. */
  readonly weeksLeft: number | null;
}

const MONTHS_MAX = 60;
/** An interval that is wider than this either way, and that includes 0, says nothing. */
const MARGIN_MAX = 0.05;
/** Customers on each side, below which nothing is estimated. */
const CUSTOMERS_FROM = 20;
const WEEKS_MAX = 520;
const DAY_MS = 24 * 3_600_000;

/**
 * Earnings of routing, by month and currency, the latest first: the difference of the success rates of customers' first payments, with an
 * interval that holds at all looks together, times all payments that rules routed, times what is left after fees of one that is paid.
 */
export async function readEarned(
  client: Pick<Database['pool'], 'query'>,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode },
  now: Date,
): Promise<EarnedMonth[]> {
  return (await listHoldoutMonths(client, query, MONTHS_MAX)).map((row) => toEarned(row, now));
}

function toEarned(row: HoldoutMonthRow, now: Date): EarnedMonth {
  const { merchantId, month, currency, percent, routedPayments: payments } = row;
  const sums = readCanaryState(row.sums);
  const routed = { ...sums.draft, amount: row.routedAmount, fees: row.routedFees };
  const heldOut = { ...sums.live, amount: row.heldOutAmount, fees: row.heldOutFees };
  const isKnown = Math.min(routed.customers, heldOut.customers) >= CUSTOMERS_FROM;
  const difference = isKnown ? differenceOf(sums) : null;
  const of = { merchantId, month, currency, percent, routed, heldOut, payments, difference };
  if (difference === null) return { ...of, earned: null, weeksLeft: null };
  const margin = Math.max(difference.to - difference.estimate, difference.estimate - difference.from);
  const isEnough = margin <= MARGIN_MAX || difference.from > 0 || difference.to < 0;
  if (!isEnough) return { ...of, earned: null, weeksLeft: weeksLeft(month, margin, now) };
  // An estimate: doubles are exact enough.
  const net = [routed, heldOut].reduce((sum, { amount, fees }) => sum + Number(amount) - Number(fees), 0);
  const worth = (rate: number) => Math.round((rate * payments * net) / Math.max(1, routed.paid + heldOut.paid));
  const earned = { estimate: worth(difference.estimate), from: worth(difference.from), to: worth(difference.to) };
  return { ...of, earned, weeksLeft: null };
}

/** The margin halves with four times the customers. */
function weeksLeft(month: string, margin: number, now: Date): number {
  const begun = Date.parse(`${month}-01T00:00:00Z`);
  const days = Math.min(31, Math.max(1, (now.getTime() - begun) / DAY_MS));
  const needed = days * (margin / MARGIN_MAX) ** 2;
  return Math.min(WEEKS_MAX, Math.max(1, Math.ceil((needed - days) / 7)));
}
