import { GATEWAYS, type GatewayName } from '../../harness/gateways.ts';
import type { FaultPlan } from './faults.ts';
import type { PaymentPlan } from './payments.ts';
import { drawsFor } from './rng.ts';

/** Payments, and what befalls them, from one seed. */
export interface Plan {
  readonly seed: number;
  readonly payments: readonly PaymentPlan[];
  /** In the order they begin. */
  readonly faults: readonly FaultPlan[];
  /** One that lasts while sessions end, long after the others. */
  readonly outage: FaultPlan | null;
  /** How long nothing happens after the last fault. */
  readonly quietMs: number;
  /**
   * The longest between two look-ups of a checkout whose session ended as long ago as those of late payers did. The comparison with the
   * gateways' own lists, a day later, would find what is not looked up.
   */
  readonly recordedWithinMs: number;
  /** Time after everything else when customers dispute what they paid; null for never. */
  readonly disputesAfterMs: number | null;
  /** Which payment each payout of a gateway leaves out: modulo the number that it has; null for none. */
  readonly payoutsLeaveOut: number | null;
}

export interface MerchantPlan {
  /** Where it has accounts, in the order they are tried. */
  readonly gateways: readonly [GatewayName, ...GatewayName[]];
  readonly sessionMinutes: number;
  /** True if duplicate charges are refunded automatically. */
  readonly refundDuplicates: boolean;
  /** Addresses its events go to. */
  readonly endpoints: number;
}

export const LONGEST_SESSION_MINUTES = 60;

/** The merchants that plans draw from. */
export const MERCHANTS: readonly MerchantPlan[] = [
  merchant(['paystack', 'flutterwave'], LONGEST_SESSION_MINUTES, { refundDuplicates: false }),
  merchant(['flutterwave', 'paystack'], 15, { endpoints: 2 }),
  merchant(['nomba', 'paystack', 'flutterwave'], 30),
  merchant(['monnify', 'squad'], 30),
  merchant(['kora', 'interswitch', 'flutterwave'], 15),
  merchant(['squad', 'kora', 'monnify'], LONGEST_SESSION_MINUTES, { refundDuplicates: false }),
  merchant(['interswitch', 'nomba', 'monnify'], 30, { endpoints: 2 }),
  merchant(['squad', 'interswitch', 'paystack'], 15),
  merchant(['monnify', 'kora', 'flutterwave'], 30),
];

function merchant(
  gateways: MerchantPlan['gateways'],
  sessionMinutes: number,
  { refundDuplicates = true, endpoints = 1 }: Partial<MerchantPlan> = {},
): MerchantPlan {
  return { gateways, sessionMinutes, refundDuplicates, endpoints };
}

/** Number of them in one plan. */
export const MERCHANTS_OF_PLAN = 3;

/** The places of a seed's merchants among all: their gateways are those of its world. */
export function drawMerchants(seed: number): readonly number[] {
  return drawsFor(seed, 'merchants of plan')
    .shuffled([...MERCHANTS.keys()])
    .slice(0, MERCHANTS_OF_PLAN);
}

/** The items at some places of a list. Throws for a place that it does not have. */
export function itemsAt<T>(list: readonly T[], places: readonly number[]): T[] {
  return places.map((place) => {
    const item = list[place];
    if (item === undefined) throw new Error(`there is nothing at place ${place}`);
    return item;
  });
}

/** The gateways of some merchants, each once. */
export function gatewaysOf(merchants: readonly MerchantPlan[]): readonly GatewayName[] {
  return GATEWAYS.filter((gateway) => merchants.some(({ gateways }) => gateways.includes(gateway)));
}
