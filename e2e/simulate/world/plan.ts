import { ofEachGateway } from '@switchyard/sandbox';
import { type FaultKind, type FaultPlan, OWN_FAULTS } from '../../world/plan/faults.ts';
import { type PaymentPlan, planPayments } from '../../world/plan/payments.ts';
import { drawMerchants, MERCHANTS_OF_PLAN } from '../../world/plan/plan.ts';
import { quirksOf } from '../../world/plan/quirks.ts';
import { drawsFor, type Rng } from '../../world/plan/rng.ts';
import { PACE_OF_PRODUCTION } from '../kernel/pace.ts';
import type { Pace } from '../kernel/scheduler.ts';
import { planTheme, themeOf } from './themes.ts';
import { FAULT_GROUPS, type Theme, type WorldPlan } from './world-plan.ts';

const OUTAGES = ['gateway_refuses', 'gateway_half_open', 'hang', 'down', 'http_500', 'database_slow'] as const;

/** How worlds are drawn: with every kind of fault, or none. */
export type Climate = 'rough' | 'calm';

const HOUR_MS = 3_600_000;
const QUIET_MS = 2 * 60_000;
/** Probability that gateways take money back in a world: until lists are read again, days pass in which nothing else happens. */
const TAKEN_BACK_SHARE = 0.3;

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
  const disputesAfterMs = draws.chance(0.1) ? draws.pick([HOUR_MS, 120 * HOUR_MS]) : null;
  const payoutsLeaveOut = draws.chance(0.2) ? draws.between(0, 999) : null;
  const readsLists = disputesAfterMs !== null || payoutsLeaveOut !== null;
  const takesBack = disputesAfterMs !== null || drawsFor(seed, 'taken back').chance(TAKEN_BACK_SHARE);
  return {
    seed,
    theme: null,
    beginAfterMs: draws.between(1, 47) * (HOUR_MS / 2),
    webs: draws.between(1, 3),
    workers: draws.between(1, 2),
    pace: planPace(seed, readsLists),
    merchants: drawMerchants(seed),
    quirks: ofEachGateway((gateway) => quirksOf(seed, gateway)),
    payments: planPayments(draws, {
      count: payments,
      merchants: MERCHANTS_OF_PLAN,
      busyMs,
      faults,
      prefix: `order-${seed}`,
    }).map((payment): PaymentPlan => (takesBack ? payment : { ...payment, later: 'nothing' })),
    faults,
    outage: climate === 'calm' || draws.chance(0.5) ? null : planOutage(draws),
    databaseLatencyMs: climate === 'calm' ? 1 : draws.pick([1, 1, 20, 200]),
    networkLatencyMs: climate === 'calm' ? 40 : draws.pick([4, 40, 400]),
    quietMs: QUIET_MS,
    recordedWithinMs: 2 * HOUR_MS,
    disputesAfterMs,
    payoutsLeaveOut,
  };
}

function planOutage(draws: Rng): FaultPlan {
  const kind = draws.pick(OUTAGES);
  return { kind, atMs: 0, lengthMs: 0, which: draws.between(0, 999), seed: draws.between(1, 1_000_000) };
}

/** One world in sixty-four polls and does its housekeeping as often as production does; the others as a starved machine would. */
function planPace(seed: number, readsLists: boolean): Pace {
  const draws = drawsFor(seed, 'pace');
  if (draws.chance(1 / 64)) return PACE_OF_PRODUCTION;
  return {
    queue: draws.pick([10, 20]),
    spare: 1_000,
    poll: draws.pick([3, 5]),
    watch: draws.pick([5, 10, 15]),
    heartbeat: draws.pick([1, 2]),
    beat: 1,
    lists: readsLists ? 1_000 : 4_000,
    housekeeping: 4_000,
  };
}

function planFaults(seed: number, busyMs: number): FaultPlan[] {
  const draws = drawsFor(seed, 'faults');
  const faults = Array.from({ length: draws.between(6, 16) }, (): FaultPlan => {
    const group = FAULT_GROUPS[draws.between(0, FAULT_GROUPS.length - 1)] ?? OWN_FAULTS;
    const kind = group[draws.between(0, group.length - 1)] ?? 'crash_web';
    return {
      kind,
      atMs: draws.between(0, Math.floor(busyMs * 0.9)),
      lengthMs: draws.between(500, isOwn(kind) ? 10_000 : Math.floor(busyMs * 0.7)),
      which: draws.between(0, 999),
      seed: draws.between(1, 1_000_000),
    };
  });
  return faults.sort((one, other) => one.atMs - other.atMs);
}

function isOwn(kind: FaultKind): boolean {
  return OWN_FAULTS.some((own) => own === kind);
}
