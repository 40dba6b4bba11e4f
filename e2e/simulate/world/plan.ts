import { ENDPOINT_FAULTS, WEBHOOK_FAULTS } from '../../chaos/plan/faults.ts';
import { planPayments } from '../../chaos/plan/payments.ts';
import type { MerchantPlan } from '../../chaos/plan/plan.ts';
import type { Rng } from '../../chaos/plan/rng.ts';
import { PACE_OF_PRODUCTION, type Pace } from '../kernel/pace.ts';
import { drawsFor } from '../kernel/random.ts';
import { planTheme, themeOf } from './themes.ts';
import {
  GATEWAY_FAULTS,
  NETWORK_FAULTS,
  OWN_FAULTS,
  type OwnFault,
  type SimulatedFault,
  type SimulatedFaultPlan,
  type SimulatedPayment,
  type Theme,
  type WorldPlan,
} from './world-plan.ts';

const OUTAGES = ['gateway_refuses', 'gateway_half_open', 'hang', 'down', 'http_500', 'database_slow'] as const;

/** The merchants of all worlds, which are made once. */
export const MERCHANTS: readonly MerchantPlan[] = [
  { first: 'paystack', sessionMinutes: 60, refundDuplicates: false, endpoints: 1 },
  { first: 'flutterwave', sessionMinutes: 15, refundDuplicates: true, endpoints: 2 },
  { first: 'paystack', sessionMinutes: 30, refundDuplicates: true, endpoints: 1 },
];

/** How worlds are drawn: with every kind of fault, or none. */
export type Climate = 'rough' | 'calm';

const HOUR_MS = 3_600_000;
const QUIET_MS = 2 * 60_000;

/** The plan of a seed. With `only`, a world of this theme; otherwise half of the rough worlds have one, drawn from the seed as well. */
export function planWorld(seed: number, payments: number, climate: Climate, only: Theme | null = null): WorldPlan {
  const plan = planAnyWorld(seed, payments, climate);
  const theme = climate === 'calm' ? null : (only ?? themeOf(seed));
  return theme === null ? plan : planTheme(plan, theme);
}

function planAnyWorld(seed: number, payments: number, climate: Climate): WorldPlan {
  const draws = drawsFor(seed, 'plan');
  const busyMs = climate === 'calm' ? Math.max(2_000, payments * 4) : draws.between(8_000, 40_000);
  const faults = climate === 'calm' ? [] : planFaults(seed, busyMs);
  const chaosFaults = faults.flatMap((fault) =>
    isLosing(fault.kind) ? [{ ...fault, kind: 'timeout_after_create' as const }] : [],
  );
  return {
    seed,
    theme: null,
    beginAfterMs: draws.between(1, 47) * (HOUR_MS / 2),
    webs: draws.between(1, 3),
    workers: draws.between(1, 2),
    pace: planPace(seed),
    busyMs,
    payments: planMorePayments(draws, {
      first: 1,
      count: payments,
      merchants: MERCHANTS.length,
      roundMs: busyMs,
      faults: chaosFaults,
      prefix: `order-${seed}`,
    }),
    faults,
    outage: climate === 'calm' || draws.chance(0.5) ? null : planOutage(draws),
    databaseLatencyMs: climate === 'calm' ? 1 : draws.pick([1, 1, 20, 200]),
    networkLatencyMs: climate === 'calm' ? 40 : draws.pick([4, 40, 400]),
    quietMs: QUIET_MS,
  };
}

/** As the chaos run's, with more refunds and more requests at once: they are cheap here. */
function planMorePayments(draws: Rng, of: Parameters<typeof planPayments>[1]): SimulatedPayment[] {
  return planPayments(draws, of).map((payment) => ({
    ...payment,
    paysElsewhereFirst: false,
    refundAfterMs: 0,
    refund: payment.refund === 'none' && draws.chance(0.25) ? draws.pick(['whole', 'part', 'in_parts']) : payment.refund,
    start: payment.start === 'plainly' && draws.chance(0.2) ? 'twice_at_once' : payment.start,
  }));
}

function planOutage(draws: Rng): SimulatedFaultPlan {
  const kind = draws.pick(OUTAGES);
  return { kind, atMs: 0, lengthMs: 0, which: draws.between(0, 999), seed: draws.between(1, 1_000_000) };
}

/** One world in sixty-four polls and does its housekeeping as often as production does; the others as a starved machine would. */
function planPace(seed: number): Pace {
  const draws = drawsFor(seed, 'pace');
  if (draws.chance(1 / 64)) return PACE_OF_PRODUCTION;
  return {
    queue: draws.pick([10, 20]),
    poll: draws.pick([3, 5]),
    watch: draws.pick([5, 10, 15]),
    heartbeat: draws.pick([1, 2]),
    housekeeping: 4_000,
  };
}

function planFaults(seed: number, busyMs: number): SimulatedFaultPlan[] {
  const draws = drawsFor(seed, 'faults');
  const count = draws.between(6, 16);
  const kinds: readonly (readonly SimulatedFault[])[] = [
    OWN_FAULTS,
    OWN_FAULTS,
    NETWORK_FAULTS,
    NETWORK_FAULTS,
    GATEWAY_FAULTS,
    GATEWAY_FAULTS,
    WEBHOOK_FAULTS,
    ENDPOINT_FAULTS,
  ];
  const faults = Array.from({ length: count }, (): SimulatedFaultPlan => {
    const of = kinds[draws.between(0, kinds.length - 1)] ?? OWN_FAULTS;
    const kind = of[draws.between(0, of.length - 1)] ?? 'crash_web';
    const atMs = draws.between(0, Math.floor(busyMs * 0.9));
    return {
      kind,
      atMs,
      lengthMs: draws.between(500, isOwn(kind) ? 10_000 : Math.floor(busyMs * 0.7)),
      which: draws.between(0, 999),
      seed: draws.between(1, 1_000_000),
    };
  });
  return faults.sort((one, other) => one.atMs - other.atMs);
}

function isOwn(kind: SimulatedFault): kind is OwnFault {
  return OWN_FAULTS.some((own) => own === kind);
}

/** Whether a checkout may open under it whose answer is lost. */
function isLosing(kind: SimulatedFault): boolean {
  return [
    'slow',
    'broken_json',
    'timeout_after_create',
    'crash_web',
    'gateway_lossy',
    'gateway_late',
    'gateway_half_open',
  ].includes(kind);
}
