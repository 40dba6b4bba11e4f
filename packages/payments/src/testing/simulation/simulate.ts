import { newId } from '@switchyard/db';
import type { Outcome } from '@switchyard/gateways';
import {
  ATTEND_EVERY_MS,
  createAttendedTime,
  createLocalHealth,
  DEFAULT_HEALTH_THRESHOLDS,
  type HealthThresholds,
  type KnownAccount,
  type LocalHealth,
} from '@switchyard/provider-health';
import type { HealthState, PlannedAttempt, RoutableAccount, RoutingOverride, StoredHealthReason } from '@switchyard/routing';
import { compileRuleSet } from '@switchyard/routing/decide';
import { tryTimeoutMs } from '../../path/initiate/open-checkout.ts';
import { routePayment } from '../../path/initiate/route-payment.ts';
import {
  createScriptedGateway,
  GATEWAYS,
  type GatewayName,
  type ScriptedGateway,
  SIMULATED_FAULTS,
  type SimulatedFault,
} from './scripted-gateway.ts';
import { createRandom, createVirtualClock, type Random, type VirtualClock } from './virtual-clock.ts';

export interface SimulationPlan {
  /** Null for gateways that answer as always. */
  readonly fault: SimulatedFault | null;
  /** Trouble of our own process at the beginning of the fault. */
  readonly own?: ProcessFault;
  readonly perSecond: number;
  /** Without a fault, for the baseline. */
  readonly calmSeconds: number;
  readonly faultSeconds: number;
  /** After the repair. */
  readonly recoverySeconds: number;
  readonly seed: number;
  readonly thresholds?: HealthThresholds;
  /** When the operator takes Paystack out for all merchants, seconds from the start of the fault; never when left out. */
  readonly drainAfterSeconds?: number;
  /** True for a second merchant who opens forty checkouts at Paystack before the fault, and then only verifies them, one every 3.5 s. */
  readonly hasIdleMerchant?: boolean;
}

/**
 * Cause that holds the process up. `stall`: its event loop stands still, and requests wait to be read. `hold`: the database is away, and
 * requests wait inside the process, which then calls gateways for all of them in one turn.
 */
export interface ProcessFault {
  readonly kind: 'stall' | 'hold';
  readonly seconds: number;
  /** Computing time of the process for each payment that begins and for each answer, milliseconds. */
  readonly busyMs: number;
}

/** The experience of one customer. */
export interface ServedPayment {
  readonly atMs: number;
  readonly waitedMs: number;
  readonly status: 'PENDING' | 'FAILED';
  /** The first gateway tried. */
  readonly first: GatewayName | null;
  /** The number of gateways that failed. */
  readonly failedTries: number;
}

export interface StateChange {
  readonly atMs: number;
  readonly gateway: GatewayName;
  readonly from: HealthState;
  readonly to: HealthState;
  readonly why: StoredHealthReason;
}

/** Times are milliseconds from the start of the baseline. */
export interface Simulated {
  readonly served: readonly ServedPayment[];
  /** Changes of health for card payments. */
  readonly changes: readonly StateChange[];
  readonly faultAtMs: number;
  readonly repairedAtMs: number;
  readonly endedAtMs: number;
  /** Incidents about the health of any merchant's account. */
  readonly incidents: readonly Incident[];
}

/** From the first account that is degraded or down until none is, nor is probed without a sign that the fault is over. */
export interface Incident {
  readonly fromMs: number;
  /** Null while it lasts at the end. */
  toMs: number | null;
}

const BEGIN = Date.UTC(2026, 10, 20, 14);
const MERCHANT = 'balogun-books';
const IDLE_MERCHANT = 'idle-shop';
const IDLE_PAYMENTS = 40;
const IDLE_VERIFIES_EVERY_MS = 3_500;
/** An account that is well for less than this is still in the same incident. */
const INCIDENT_GRACE_MS = 30_000;
const METHOD = 'CARD';
const BUDGET_MS = 20_000;
const TICK_MS = 1_000;
const PROBE_TICK_MS = 10_000;
const LOOKUP_TIMEOUT_MS = 5_000;
/** When merchants verify a payment. */
const LOOKUPS_AFTER_MS = [3_000, 15_000];

interface World {
  readonly clock: VirtualClock;
  /** Computing time of each step of a payment. */
  readonly busyMs: number;
  /** Payments that wait for the database; null while it answers. */
  held: (() => void)[] | null;
  readonly random: Random;
  readonly gateways: Readonly<Record<GatewayName, ScriptedGateway>>;
  readonly health: LocalHealth;
  readonly served: ServedPayment[];
  readonly changes: StateChange[];
  readonly incidents: Incident[];
  /** Since when no account has been in trouble while an incident is open. */
  absentSinceMs: number | null;
  /** True once the operator has taken Paystack out for all merchants. */
  isDrained: boolean;
}

/**
 * Simulates a fault of scripted gateways on a virtual clock. Health, decisions and time budgets are those of production code; the
 * database is replaced by memory, and gateways by scripts. The same plan gives the same result.
 */
export function simulate(plan: SimulationPlan): Simulated {
  const world = createWorld(plan);
  const faultAtMs = plan.calmSeconds * 1_000;
  const repairedAtMs = faultAtMs + plan.faultSeconds * 1_000;
  const endedAtMs = repairedAtMs + plan.recoverySeconds * 1_000;
  for (const { atSeconds, gateway, fault } of plan.fault === null ? [] : SIMULATED_FAULTS[plan.fault]) {
    if (atSeconds < plan.faultSeconds)
      world.clock.after(faultAtMs + atSeconds * 1_000, () => world.gateways[gateway].setFault(fault));
  }
  world.clock.after(repairedAtMs, () => {
    for (const gateway of GATEWAYS) world.gateways[gateway].setFault(null);
  });
  if (plan.own !== undefined) hinder(world, plan.own, faultAtMs);
  if (plan.drainAfterSeconds !== undefined) {
    world.clock.after(faultAtMs + plan.drainAfterSeconds * 1_000, () => {
      world.isDrained = true;
    });
  }
  if (plan.hasIdleMerchant === true) beIdle(world);
  repeat(world.clock, TICK_MS, () => tick(world));
  repeat(world.clock, PROBE_TICK_MS, () => probeTroubled(world));
  takePayments(world, { everyMs: 1_000 / plan.perSecond, dueAt: BEGIN, endsAt: BEGIN + endedAtMs });
  world.clock.runUntil(BEGIN + endedAtMs + BUDGET_MS);
  const { served, changes, incidents } = world;
  return { served, changes: changes.filter(({ atMs }) => atMs < endedAtMs), incidents, faultAtMs, repairedAtMs, endedAtMs };
}

/** Holds the process up from a moment on. */
function hinder(world: World, { kind, seconds }: ProcessFault, atMs: number): void {
  const { clock } = world;
  clock.after(atMs, () => {
    if (kind === 'stall') {
      clock.spend(seconds * 1_000);
      return;
    }
    world.held = [];
    clock.after(seconds * 1_000, () => {
      const waiting = world.held ?? [];
      world.held = null;
      for (const go of waiting) go();
    });
  });
}

/** The id of a merchant's account at a gateway; the busy merchant's is the gateway's name. */
function accountIdOf(merchantId: string, gateway: GatewayName): string {
  return merchantId === MERCHANT ? gateway : `${merchantId}/${gateway}`;
}

function createWorld({ seed, own, thresholds = DEFAULT_HEALTH_THRESHOLDS, hasIdleMerchant = false }: SimulationPlan): World {
  const clock = createVirtualClock(BEGIN);
  const attended = createAttendedTime(clock.now);
  repeat(clock, ATTEND_EVERY_MS, attended.tick);
  const known = (hasIdleMerchant ? [MERCHANT, IDLE_MERCHANT] : [MERCHANT]).flatMap((merchantId) =>
    GATEWAYS.map((gateway): KnownAccount => {
      const title = { paystack: 'Paystack', flutterwave: 'Flutterwave' }[gateway];
      return { merchantId, accountId: accountIdOf(merchantId, gateway), gateway, title, mode: 'test', address: null, thresholds };
    }),
  );
  const health = createLocalHealth({
    now: () => new Date(clock.now()),
    attended,
    newId,
    account: (accountId) => known.find((account) => account.accountId === accountId),
    accountsOf: (merchantId) => known.filter((account) => account.merchantId === merchantId),
  });
  return {
    incidents: [],
    absentSinceMs: null,
    isDrained: false,
    clock,
    busyMs: own?.busyMs ?? 0,
    held: null,
    random: createRandom(seed),
    gateways: {
      paystack: createScriptedGateway(createRandom(seed + 1)),
      flutterwave: createScriptedGateway(createRandom(seed + 2)),
    },
    health,
    served: [],
    changes: [],
  };
}

function repeat(clock: VirtualClock, everyMs: number, act: () => void): void {
  clock.after(everyMs, () => {
    act();
    repeat(clock, everyMs, act);
  });
}

/** The monitor's work of one second, with memory in place of the database. */
function tick(world: World): void {
  const { clock, changes } = world;
  const { registry, drain } = world.health;
  registry.addCounts(drain(), clock.now());
  for (const move of registry.assessAll(clock.now())) {
    registry.markStored(move);
    const { event, method, accountId, state, why } = move.change;
    const gateway = GATEWAYS.find((name) => name === accountId);
    if (event === null || method !== METHOD || gateway === undefined) continue;
    const from = asState(event.fromState);
    changes.push({ atMs: clock.now() - BEGIN, gateway, from, to: asState(state), why });
  }
  followIncidents(world);
}

/** Opens and ends incidents as alerts do. */
function followIncidents(world: World): void {
  const atMs = world.clock.now() - BEGIN;
  const details = [MERCHANT, IDLE_MERCHANT].flatMap((merchantId) => world.health.details(merchantId));
  const begins = details.some(({ health: { state } }) => state === 'degraded' || state === 'down');
  const lasts = details.some(({ health: { state }, answersSince }) => state !== 'healthy' && answersSince === null);
  const open = world.incidents.find(({ toMs }) => toMs === null);
  if (open === undefined) {
    if (begins) world.incidents.push({ fromMs: atMs, toMs: null });
    return;
  }
  world.absentSinceMs = lasts ? null : (world.absentSinceMs ?? atMs);
  if (world.absentSinceMs !== null && atMs - world.absentSinceMs >= INCIDENT_GRACE_MS) {
    open.toMs = atMs;
    world.absentSinceMs = null;
  }
}

function asState(text: string | null): HealthState {
  return (['healthy', 'degraded', 'down', 'probing'] as const).find((state) => state === text) ?? 'healthy';
}

/** The worker's probes of accounts in trouble. */
function probeTroubled(world: World): void {
  for (const merchantId of [MERCHANT, IDLE_MERCHANT])
    for (const gateway of GATEWAYS) {
      const own = world.health.details(merchantId).filter(({ health }) => health.accountId === accountIdOf(merchantId, gateway));
      if (own.some(({ health, fromOthers }) => health.state !== 'healthy' && !fromOthers))
        lookUp(world, { merchantId, gateway, method: null });
    }
}

interface LookedUp {
  readonly merchantId: string;
  readonly gateway: GatewayName;
  readonly method: string | null;
}

function lookUp({ clock, gateways, health }: World, { merchantId, gateway, method }: LookedUp): void {
  const { afterMs, outcome } = gateways[gateway].call('lookups', LOOKUP_TIMEOUT_MS);
  const where = { merchantId, accountId: accountIdOf(merchantId, gateway), method };
  clock.after(afterMs, () => health.observeLookup(where, outcome));
}

/** The merchant who opens checkouts for a while, one a second, and then only verifies them. */
function beIdle(world: World): void {
  const { clock, gateways, health } = world;
  const where = { merchantId: IDLE_MERCHANT, accountId: accountIdOf(IDLE_MERCHANT, 'paystack'), method: METHOD };
  for (let payment = 0; payment < IDLE_PAYMENTS; payment += 1)
    clock.after(payment * 1_000, () => {
      const ended = health.beginOpening(where);
      const { afterMs, outcome } = gateways.paystack.call('openings', health.openingTimeoutMs(where.accountId, METHOD));
      clock.after(afterMs, () => ended(outcome));
    });
  clock.after(IDLE_PAYMENTS * 1_000, () =>
    repeat(clock, IDLE_VERIFIES_EVERY_MS, () => lookUp(world, { ...where, gateway: 'paystack' })),
  );
}

interface Arrivals {
  readonly everyMs: number;
  /** When the payment before came, and the last one may. */
  readonly dueAt: number;
  readonly endsAt: number;
}

/** Customers come whether or not the process attends to them. */
function takePayments(world: World, { everyMs, dueAt, endsAt }: Arrivals): void {
  const nextAt = dueAt + world.random.wait(everyMs);
  world.clock.after(nextAt - world.clock.now(), () => {
    if (nextAt >= endsAt) return;
    if (world.held === null) initiate(world);
    else world.held.push(() => initiate(world));
    takePayments(world, { everyMs, dueAt: nextAt, endsAt });
  });
}

const RULES = compileRuleSet({ version: 1, rules: [], defaultOrder: [...GATEWAYS] });
const ACCOUNTS = GATEWAYS.map((gateway): RoutableAccount => {
  const takes = { currencies: ['NGN'], methods: [METHOD], minAmount: 1, maxAmount: null, fees: null } as const;
  return { accountId: gateway, gateway, label: gateway, enabled: true, configured: true, ...takes };
});

const DRAIN = {
  overrideId: 'drain',
  accountId: 'paystack',
  gateway: 'paystack',
  method: null,
  action: 'drain',
  reason: 'Paystack is down.',
  actor: 'staff:ada',
  expiresAt: null,
} as const satisfies RoutingOverride;

function initiate(world: World): void {
  const { clock, health, busyMs } = world;
  clock.spend(busyMs);
  const decision = routePayment(
    {
      payment: {
        paymentId: newId(),
        currency: 'NGN',
        amount: 2_500,
        method: METHOD,
        customerCountry: null,
        requestedGateway: null,
      },
      ruleSet: RULES,
      accounts: ACCOUNTS,
      health: health.snapshot(MERCHANT),
      overrides: world.isDrained ? [DRAIN] : [],
      decidedAt: new Date(clock.now()).toISOString(),
    },
    health.claimProbeSlot,
  );
  tryAccount(world, decision.plan, 0, clock.now());
}

/** Tries one account of the plan, and the next one when it fails. */
function tryAccount(world: World, plan: readonly PlannedAttempt[], position: number, begunAt: number): void {
  const { clock, health, gateways, served } = world;
  const gateway = GATEWAYS.find((name) => name === plan[position]?.gateway);
  const leftMs = begunAt + BUDGET_MS - clock.now();
  const serve = (status: ServedPayment['status'], failedTries: number) => {
    const first = GATEWAYS.find((name) => name === plan[0]?.gateway) ?? null;
    served.push({ atMs: begunAt - BEGIN, waitedMs: clock.now() - begunAt, status, first, failedTries });
  };
  if (gateway === undefined || leftMs <= 0) {
    serve('FAILED', position);
    return;
  }
  const accountMs = health.openingTimeoutMs(gateway, METHOD);
  const timeoutMs = tryTimeoutMs({ leftMs, accountMs, behind: plan.length - position - 1 });
  const ended = health.beginOpening({ merchantId: MERCHANT, accountId: gateway, method: METHOD });
  const calledAt = clock.now();
  const { afterMs, outcome } = gateways[gateway].call('openings', timeoutMs);
  clock.after(afterMs, () => {
    clock.spend(world.busyMs);
    ended(takingAtLeast(outcome, clock.now() - calledAt));
    if (outcome.outcome !== 'yes') {
      tryAccount(world, plan, position + 1, begunAt);
      return;
    }
    serve('PENDING', position);
    for (const ms of LOOKUPS_AFTER_MS) clock.after(ms, () => lookUp(world, { merchantId: MERCHANT, gateway, method: METHOD }));
  });
}

/** The outcome as the process measures it: an answer that it read late took longer. */
function takingAtLeast(outcome: Outcome<unknown>, tookMs: number): Outcome<unknown> {
  return { ...outcome, call: { ...outcome.call, latencyMs: Math.max(outcome.call.latencyMs, tookMs) } };
}
