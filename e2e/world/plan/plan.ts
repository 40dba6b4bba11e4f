import type { GatewayName } from '../../harness/gateways.ts';
import type { FaultPlan } from './faults.ts';
import type { PaymentPlan } from './payments.ts';

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
}

export interface MerchantPlan {
  /** Which gateway is tried first. */
  readonly first: GatewayName;
  readonly sessionMinutes: number;
  /** True if duplicate charges are refunded automatically. */
  readonly refundDuplicates: boolean;
  /** Addresses its events go to. */
  readonly endpoints: number;
}

export const LONGEST_SESSION_MINUTES = 60;

/** The merchants of all plans. */
export const MERCHANTS: readonly MerchantPlan[] = [
  { first: 'paystack', sessionMinutes: LONGEST_SESSION_MINUTES, refundDuplicates: false, endpoints: 1 },
  { first: 'flutterwave', sessionMinutes: 15, refundDuplicates: true, endpoints: 2 },
  { first: 'paystack', sessionMinutes: 30, refundDuplicates: true, endpoints: 1 },
];
