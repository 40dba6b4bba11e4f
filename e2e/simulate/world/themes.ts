import type { FaultKind, FaultPlan } from '../../world/plan/faults.ts';
import type { PaymentPlan } from '../../world/plan/payments.ts';
import { drawsFor, type Rng } from '../../world/plan/rng.ts';
import type { Pace } from '../kernel/scheduler.ts';
import { THEMES, type Theme, type WorldPlan } from './world-plan.ts';

type Range = readonly [number, number];

/** How the worlds of a theme are drawn, beside what all worlds have. */
interface Profile {
  readonly webs: Range;
  readonly workers: Range;
  readonly busyMs: Range;
  /** The share of the busy time in which payments begin. */
  readonly beginning: number;
  readonly faultCount: Range;
  /** Each with its weight. */
  readonly faults: readonly (readonly [FaultKind, number])[];
  /** The share of payments that begin in the two seconds before a fault does. */
  readonly beforeFaults: number;
  readonly databaseLatencyMs: readonly [number, ...number[]];
  readonly networkLatencyMs: readonly [number, ...number[]];
  /** How long polls go on nearly as often as before, after the last fault: what takes minutes is looked up meanwhile. */
  readonly quietMs: number;
  /** Length of its faults, where it is not that of other themes. */
  readonly lengthMs?: Range;
  /** Time after everything else when customers dispute what they paid. */
  readonly disputesAfterMs?: readonly [number, ...number[]];
  readonly recordedWithinMs?: number;
  /** Pace of polls in its worlds, whose faults last longer. */
  readonly pace?: Pace;
  readonly payment: (draws: Rng) => Partial<PaymentPlan>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Where a theme does not say so, a fault lasts half a second to ten seconds. */
const LENGTHS_MS: Readonly<Partial<Record<FaultKind, Range>>> = {
  // Longer than an initiate may take, so that others go on with what the process was about to do.
  pause_web: [21_000, 90_000],
  pause_worker: [6_000, 25_000],
  clock_ahead: [10_000, 60_000],
  clock_behind: [10_000, 60_000],
  database_slow: [3_000, 12_000],
  gateway_lossy: [5_000, 30_000],
  gateway_late: [3_000, 20_000],
  gateway_half_open: [5_000, 30_000],
  timeout_after_create: [5_000, 30_000],
  broken_json: [5_000, 30_000],
  slow: [5_000, 30_000],
  no_webhook: [5_000, 30_000],
  rate_limited: [5_000, 60_000],
  invalid_key: [5_000, 60_000],
};
const LENGTH_MS: Range = [500, 10_000];

const PROFILES: Readonly<Record<Theme, Profile>> = {
  /** Checkouts whose answer is lost stay open beside the one that the customer was sent to, and are paid too: before it, after it, or alone. */
  second_attempts: {
    webs: [1, 3],
    workers: [1, 2],
    busyMs: [20_000, 40_000],
    beginning: 1,
    faultCount: [4, 8],
    faults: [
      ['timeout_after_create', 4],
      ['gateway_lossy', 3],
      ['gateway_half_open', 2],
      ['broken_json', 2],
      ['slow', 1],
      ['http_500', 1],
      ['no_webhook', 2],
      ['webhooks_delayed', 1],
      ['crash_worker', 1],
    ],
    beforeFaults: 0.2,
    databaseLatencyMs: [1, 20, 200],
    networkLatencyMs: [4, 40],
    quietMs: 2 * MINUTE_MS,
    payment: (draws) => ({
      customer: draws.weighted([
        ['pays_everywhere_late', 3],
        ['pays_late', 1],
        ['pays_everywhere', 2],
        ['is_declined', 3],
        ['pays_by_card', 1],
        ['walks_away', 1],
      ]),
      paysElsewhereFirst: draws.chance(0.4),
    }),
  },
  /** Refunds of parts, of which more than one fit into what was paid, while requests are minutes late and processes disagree on the time. */
  refunds_under_doubt: {
    webs: [1, 2],
    workers: [2, 2],
    busyMs: [60_000, 90_000],
    beginning: 0.4,
    faultCount: [8, 14],
    faults: [
      ['gateway_late', 5],
      ['clock_behind', 3],
      ['clock_ahead', 3],
      ['gateway_lossy', 1],
      ['timeout_after_create', 1],
      ['database_slow', 1],
      ['pause_worker', 1],
      ['crash_worker', 1],
      ['hang', 1],
    ],
    beforeFaults: 0,
    databaseLatencyMs: [20, 60],
    networkLatencyMs: [4, 40, 400],
    quietMs: 10 * MINUTE_MS,
    payment: (draws) => ({
      customer: 'pays_by_card',
      method: 'card',
      polls: 1,
      refund: draws.weighted([
        ['part', 6],
        ['in_parts', 3],
        ['whole', 1],
      ]),
      refundAfterMs: draws.between(0, 50_000),
    }),
  },
  /** Processes that stop in the middle of a payment and go on when others have taken it over; gateways refuse at the same time. */
  stalled_processes: {
    webs: [2, 3],
    workers: [1, 2],
    busyMs: [30_000, 60_000],
    beginning: 0.9,
    faultCount: [8, 14],
    faults: [
      ['pause_web', 6],
      ['pause_worker', 2],
      ['rate_limited', 3],
      ['invalid_key', 2],
      ['gateway_refuses', 1],
      ['slow', 2],
      ['timeout_after_create', 1],
    ],
    beforeFaults: 0.8,
    databaseLatencyMs: [20, 200],
    networkLatencyMs: [40, 400],
    quietMs: 2 * MINUTE_MS,
    payment: (draws) => ({ start: draws.pick(['plainly', 'without_key', 'twice_at_once']) }),
  },
  /** Processes that die between a call and the record of its answer, again and again, and are back soon. */
  crashes_around_calls: {
    webs: [1, 3],
    workers: [1, 2],
    busyMs: [20_000, 40_000],
    beginning: 1,
    faultCount: [8, 14],
    faults: [
      ['crash_web', 6],
      ['crash_worker', 4],
      ['rate_limited', 2],
      ['invalid_key', 1],
      ['slow', 2],
      ['connections_cut', 1],
    ],
    beforeFaults: 0.7,
    databaseLatencyMs: [1, 20, 200],
    networkLatencyMs: [40, 400],
    quietMs: 2 * MINUTE_MS,
    payment: (draws) => ({ refund: draws.pick(['none', 'part', 'whole']) }),
  },
  /** Between two statements of one process, another gets the same answer from the gateway, and is first. */
  slow_database: {
    webs: [2, 3],
    workers: [1, 2],
    busyMs: [20_000, 40_000],
    beginning: 1,
    faultCount: [4, 8],
    faults: [
      ['database_slow', 5],
      ['webhook_flood', 1],
      ['duplicate_webhook', 2],
      ['webhook_before_redirect', 1],
      ['statements_lost', 1],
      ['slow', 1],
    ],
    beforeFaults: 0.2,
    // Longer ones would make a queue of it: transactions run one after the other.
    databaseLatencyMs: [20, 100],
    networkLatencyMs: [4, 40],
    quietMs: 2 * MINUTE_MS,
    payment: (draws) => ({
      customer: draws.pick(['pays_by_card', 'pays_by_card', 'pays_in_two_tabs']),
      returns: true,
      polls: 3,
    }),
  },
  /** Clocks that are minutes off and come back, while sessions, locks and refunds depend on the time. */
  clock_jumps: {
    webs: [2, 3],
    workers: [2, 2],
    busyMs: [30_000, 60_000],
    beginning: 0.9,
    faultCount: [8, 14],
    faults: [
      ['clock_ahead', 5],
      ['clock_behind', 5],
      ['gateway_late', 1],
      ['gateway_lossy', 1],
      ['crash_web', 1],
      ['pause_web', 1],
      ['slow', 1],
    ],
    beforeFaults: 0.4,
    databaseLatencyMs: [1, 20, 200],
    networkLatencyMs: [4, 40, 400],
    quietMs: 2 * MINUTE_MS,
    payment: (draws) => ({
      refund: draws.pick(['none', 'part', 'in_parts']),
      refundAfterMs: draws.between(0, 20_000),
    }),
  },
  /** Outages of most of an hour, backlogs of hours, and money that goes back days and months after it came. */
  long_faults: {
    webs: [1, 2],
    workers: [1, 2],
    busyMs: [60 * MINUTE_MS, 120 * MINUTE_MS],
    beginning: 0.9,
    faultCount: [2, 5],
    faults: [
      ['down', 3],
      ['http_500', 2],
      ['hang', 2],
      ['gateway_half_open', 2],
      ['gateway_late', 2],
      ['rate_limited', 2],
      ['webhooks_held', 4],
      ['no_webhook', 2],
      ['endpoint_500', 2],
      ['endpoint_dead', 1],
      ['database_slow', 1],
    ],
    beforeFaults: 0.6,
    databaseLatencyMs: [1, 20],
    networkLatencyMs: [4, 40],
    quietMs: 2 * MINUTE_MS,
    lengthMs: [10 * MINUTE_MS, 40 * MINUTE_MS],
    disputesAfterMs: [2 * HOUR_MS, 5 * DAY_MS, 20 * DAY_MS, 60 * DAY_MS],
    // Waits grow with the time since the session's end, which is hours ago when late customers pay.
    recordedWithinMs: 8 * HOUR_MS,
    pace: { queue: 200, spare: 1_000, poll: 45, watch: 120, heartbeat: 60, beat: 60, lists: 1_000, housekeeping: 4_000 },
    payment: (draws) => ({
      customer: draws.weighted([
        ['pays_by_card', 5],
        ['pays_by_transfer', 3],
        ['pays_in_another_currency', 1],
        ['pays_cents_more', 1],
        ['pays_everywhere', 1],
        ['pays_late', 1],
        ['walks_away', 1],
      ]),
      refund: draws.pick(['none', 'part', 'in_parts', 'whole']),
      refundAfterMs: draws.between(0, 10 * MINUTE_MS),
      later: draws.weighted([
        ['nothing', 4],
        ['is_reversed', 2],
        ['is_disputed_and_lost', 3],
        ['is_disputed_and_won', 2],
      ]),
    }),
  },
};

/** A backlog of webhooks outlasts the payments of a world. */
const LONG_LENGTHS_MS: Readonly<Partial<Record<FaultKind, Range>>> = {
  webhooks_held: [30 * MINUTE_MS, 6 * HOUR_MS],
  // Longer ones would make a queue of it: transactions run one after the other.
  database_slow: [MINUTE_MS, 3 * MINUTE_MS],
};

/** The theme of a seed; null for one of the other half, whose worlds are about everything. */
export function themeOf(seed: number): Theme | null {
  const draws = drawsFor(seed, 'theme');
  return draws.chance(0.5) ? null : draws.pick(THEMES);
}

/** A plan whose customers and faults are drawn for a theme, from the plan's own seed. */
export function planTheme(plan: WorldPlan, theme: Theme): WorldPlan {
  const profile = PROFILES[theme];
  const draws = drawsFor(plan.seed, theme);
  const within = ([low, high]: Range): number => draws.between(low, high);
  const busyMs = within(profile.busyMs);
  const faults = Array.from({ length: within(profile.faultCount) }, (): FaultPlan => {
    const kind = draws.weighted(profile.faults);
    return {
      kind,
      atMs: draws.between(0, Math.floor(busyMs * 0.9)),
      lengthMs: within(lengthOf(profile, kind)),
      which: draws.between(0, 999),
      seed: draws.between(1, 1_000_000),
    };
  }).sort((one, other) => one.atMs - other.atMs);
  const latest = Math.floor(busyMs * profile.beginning);
  const begins = (): number => {
    const fault = faults[draws.between(0, faults.length - 1)];
    const isBefore = draws.chance(profile.beforeFaults);
    const startMs = draws.between(0, latest);
    return isBefore && fault !== undefined ? Math.max(0, fault.atMs - draws.between(0, 2_000)) : startMs;
  };
  return {
    ...plan,
    theme,
    webs: within(profile.webs),
    workers: within(profile.workers),
    faults,
    payments: plan.payments.map((payment) => ({ ...payment, startMs: begins(), ...profile.payment(draws) })),
    databaseLatencyMs: draws.pick(profile.databaseLatencyMs),
    networkLatencyMs: draws.pick(profile.networkLatencyMs),
    quietMs: profile.quietMs,
    pace: profile.pace ?? plan.pace,
    recordedWithinMs: profile.recordedWithinMs ?? plan.recordedWithinMs,
    disputesAfterMs: profile.disputesAfterMs === undefined ? plan.disputesAfterMs : draws.pick(profile.disputesAfterMs),
  };
}

function lengthOf({ lengthMs }: Profile, kind: FaultKind): Range {
  return lengthMs === undefined ? (LENGTHS_MS[kind] ?? LENGTH_MS) : (LONG_LENGTHS_MS[kind] ?? lengthMs);
}
