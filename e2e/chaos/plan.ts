import { ENDPOINT_FAULTS, type FaultKind, type FaultPlan, GATEWAY_FAULTS, WEBHOOK_FAULTS } from '../world/plan/faults.ts';
import { planPayments } from '../world/plan/payments.ts';
import { MERCHANTS_OF_PLAN, type Plan } from '../world/plan/plan.ts';
import { drawsFor } from '../world/plan/rng.ts';

/** Faults of processes, a database server and sockets. */
export const FAULT_KINDS: readonly FaultKind[] = [
  'crash_web',
  'crash_worker',
  'pause_web',
  'pause_worker',
  'database_away',
  'database_crash',
  'connections_cut',
  ...GATEWAY_FAULTS,
  ...WEBHOOK_FAULTS,
  ...ENDPOINT_FAULTS,
];

/** Drawn three times as often as the others: faults that no simulation shows. */
const OFTEN: readonly FaultKind[] = ['crash_web', 'crash_worker'];

/** About this often a fault begins. */
const EVERY_MS = 800;
const LENGTH_MS = { min: 500, max: 5_000 } as const;
const QUIET_MS = 3 * 60_000;

/** The plan of a seed: payments at a rate per second, and every kind of fault. The outcome depends on the machine; the plan does not. */
export function planChaos(seed: number, of: { readonly payments: number; readonly rate: number }): Plan {
  const draws = drawsFor(seed, 'chaos');
  const busyMs = Math.ceil((of.payments / of.rate) * 1_000);
  const kinds = draws.shuffled([...FAULT_KINDS, ...OFTEN, ...OFTEN]);
  const count = Math.max(kinds.length, Math.floor(busyMs / EVERY_MS));
  const planFault = (kind: FaultKind, atMs: number): FaultPlan => ({
    kind,
    atMs,
    lengthMs: draws.between(LENGTH_MS.min, LENGTH_MS.max),
    which: draws.between(0, 999),
    seed: draws.between(1, 1_000_000),
  });
  const faults = Array.from({ length: Math.ceil(count / kinds.length) }, () => kinds)
    .flat()
    .slice(0, count)
    .map((kind, at) => planFault(kind, Math.floor((at * busyMs) / count)));
  return {
    seed,
    payments: planPayments(draws, {
      count: of.payments,
      merchants: MERCHANTS_OF_PLAN,
      busyMs,
      faults,
      prefix: `chaos-${seed}`,
    }),
    faults,
    outage: planFault(draws.pick(['down', 'http_500']), 0),
    quietMs: QUIET_MS,
    recordedWithinMs: 2 * 60 * 60_000,
    disputesAfterMs: null,
    payoutsLeaveOut: null,
  };
}
