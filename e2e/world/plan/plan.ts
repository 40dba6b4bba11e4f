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
  /** The payment that the payouts of each gateway leave out, modulo the number of its payments; null for none. */
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

/** Merchants without their gateways, of which each has as many. */
const SHAPES: readonly (Omit<MerchantPlan, 'gateways'> & { readonly accounts: number })[] = [
  shape(2, LONGEST_SESSION_MINUTES, { refundDuplicates: false }),
  shape(2, 15, { endpoints: 2 }),
  shape(3, 30),
  shape(2, 30),
  shape(3, 15),
  shape(3, LONGEST_SESSION_MINUTES, { refundDuplicates: false }),
  shape(3, 30, { endpoints: 2 }),
  shape(3, 15),
  shape(3, 30),
];

function shape(
  accounts: number,
  sessionMinutes: number,
  { refundDuplicates = true, endpoints = 1 }: Partial<MerchantPlan> = {},
): (typeof SHAPES)[number] {
  return { accounts, sessionMinutes, refundDuplicates, endpoints };
}

/** The merchants that plans draw from: each gateway of the registry is tried first by one of them at least, and is behind others at more. */
export const MERCHANTS: readonly MerchantPlan[] = itemsAt(
  SHAPES,
  Array.from({ length: GATEWAYS.length + 2 }, (_, at) => at % SHAPES.length),
).map(({ accounts, ...rest }, at) => ({ gateways: gatewaysAt(at, accounts), ...rest }));

/** So many gateways for the merchant at a place: neighbours in the registry; once around it, every second one. */
function gatewaysAt(at: number, accounts: number): MerchantPlan['gateways'] {
  const step = 1 + Math.floor(at / GATEWAYS.length);
  const places = Array.from({ length: accounts }, (_, place) => (at + place * step) % GATEWAYS.length);
  const [first, ...others] = itemsAt(GATEWAYS, places);
  if (first === undefined) throw new Error('a merchant has one gateway at least');
  return [first, ...others];
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
