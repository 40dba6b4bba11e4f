import { type FaultPlan, planFaults } from './faults.ts';
import { type PaymentPlan, planPayments } from './payments.ts';
import { createDice } from './rng.ts';

/** Everything that is to happen, from one number. What comes of it depends on the machine; what is tried does not. */
export interface Plan {
  readonly seed: number;
  readonly merchants: readonly MerchantPlan[];
  readonly rounds: readonly RoundPlan[];
}

export interface MerchantPlan {
  /** Which gateway is tried first. */
  readonly first: 'paystack' | 'flutterwave';
  readonly sessionMinutes: number;
  /** Whether money charged a second time goes back by itself. */
  readonly refundDuplicates: boolean;
  /** Addresses its events go to. */
  readonly endpoints: number;
}

export interface RoundPlan {
  readonly payments: readonly PaymentPlan[];
  readonly faults: readonly FaultPlan[];
  /** How far all clocks step ahead when it has become quiet after the round. */
  readonly stepMinutes: number;
}

export interface PlanSize {
  readonly payments: number;
  readonly rounds: number;
  readonly roundMs: number;
}

export const LONGEST_SESSION_MINUTES = 60;

export function makePlan(seed: number, size: PlanSize): Plan {
  const dice = createDice(seed);
  const merchants = planMerchants(seed);
  const faults = planFaults(dice.fork('faults'), size);
  const rounds: RoundPlan[] = [];
  let first = 0;
  for (const [round, befalling] of faults.entries()) {
    const count = Math.floor((size.payments * (round + 1)) / size.rounds) - first;
    const own = dice.fork(`round-${round}`);
    const of = { first, count, merchants: merchants.length, roundMs: size.roundMs, faults: befalling, prefix: `chaos-${seed}` };
    rounds.push({
      payments: planPayments(own, of),
      faults: befalling,
      stepMinutes: own.pick([3, 12, LONGEST_SESSION_MINUTES + 5]),
    });
    first += count;
  }
  return { seed, merchants, rounds };
}

function planMerchants(seed: number): MerchantPlan[] {
  const dice = createDice(seed).fork('merchants');
  return [
    { first: 'paystack', sessionMinutes: LONGEST_SESSION_MINUTES, refundDuplicates: false, endpoints: 1 },
    { first: 'flutterwave', sessionMinutes: 15, refundDuplicates: true, endpoints: 2 },
    { first: dice.pick(['paystack', 'flutterwave']), sessionMinutes: 30, refundDuplicates: dice.chance(0.5), endpoints: 1 },
  ];
}
