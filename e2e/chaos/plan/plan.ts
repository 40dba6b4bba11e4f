import { type GatewayName, PAIR } from '../../harness/gateways.ts';
import { type FaultPlan, planFaults } from './faults.ts';
import { type PaymentPlan, planPayments } from './payments.ts';
import { createRng, type Rng } from './rng.ts';

/** All payments and faults of a run, from one seed. The result depends on the machine; the plan does not. */
export interface Plan {
  readonly seed: number;
  readonly merchants: readonly MerchantPlan[];
  readonly rounds: readonly RoundPlan[];
}

export interface MerchantPlan {
  /** Which gateway is tried first. */
  readonly first: GatewayName;
  readonly sessionMinutes: number;
  /** Whether duplicate charges are refunded automatically. */
  readonly refundDuplicates: boolean;
  /** Addresses its events go to. */
  readonly endpoints: number;
}

export interface RoundPlan {
  readonly payments: readonly PaymentPlan[];
  readonly faults: readonly FaultPlan[];
  /** How far all clocks step ahead after the round. */
  readonly stepMinutes: number;
}

export interface PlanSize {
  readonly payments: number;
  readonly rounds: number;
  readonly roundMs: number;
}

export const LONGEST_SESSION_MINUTES = 60;

export function makePlan(seed: number, size: PlanSize): Plan {
  const rng = createRng(seed);
  const merchants = planMerchants(rng);
  let first = 0;
  const rounds = planFaults(rng, size).map((faults, round): RoundPlan => {
    const count = Math.floor((size.payments * (round + 1)) / size.rounds) - first;
    const of = { first, count, merchants: merchants.length, roundMs: size.roundMs, faults, prefix: `chaos-${seed}` };
    first += count;
    return { payments: planPayments(rng, of), faults, stepMinutes: rng.pick([3, 12, LONGEST_SESSION_MINUTES + 5]) };
  });
  return { seed, merchants, rounds };
}

function planMerchants(rng: Rng): MerchantPlan[] {
  return [
    { first: 'paystack', sessionMinutes: LONGEST_SESSION_MINUTES, refundDuplicates: false, endpoints: 1 },
    { first: 'flutterwave', sessionMinutes: 15, refundDuplicates: true, endpoints: 2 },
    { first: rng.pick(PAIR), sessionMinutes: 30, refundDuplicates: rng.chance(0.5), endpoints: 1 },
  ];
}
