import type { Outcome } from '@switchyard/gateways';
import type { AccountHealth } from '@switchyard/routing';
import type { FaultInRow } from '../assess/evidence.ts';
import { WINDOW_MS } from '../assess/outcome-counts.ts';
import { openingOverdueMs, openingTimeoutMs } from '../assess/usual-latency.ts';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds } from '../thresholds/thresholds.ts';
import type { AttendedTime } from './attended-time.ts';
import type { KnownAccount } from './gateway-experience.ts';
import { createHealthLedger, type Where } from './health-ledger.ts';
import { createHealthRegistry, type HealthRegistry } from './health-registry.ts';
import { ANY_METHOD, type HealthDetail } from './health-series.ts';
import { createOpeningsInFlight } from './openings-in-flight.ts';
import type { HealthCounts } from './queries.ts';

/** One process's view of the health of accounts. No I/O: it never waits. */
export interface LocalHealth {
  /**
   * Call when the opening of a checkout begins; call the returned function exactly once with its outcome. Only the provider's own
   * faults count against it.
   */
  beginOpening(where: Where): (outcome: Outcome<unknown>) => void;
  /** Records the outcome of a look-up or an idle probe; these are counted apart from openings. */
  observeLookup(where: Where, outcome: Outcome<unknown>): void;
  /** Records how a payment ended, for conversion. */
  observeEnd(where: Where, end: 'paid' | 'unpaid'): void;
  /** Milliseconds an opening may take at this account before the next account is tried. */
  openingTimeoutMs(accountId: string, method: string | null): number;
  /** Claims the probe slot that `snapshot` offered; false when another payment has it. */
  claimProbeSlot(accountId: string, method: string | null): boolean;
  /** Health of a merchant's accounts with evidence, for routing. */
  snapshot(merchantId: string): readonly AccountHealth[];
  /** The same, with figures that routing does not use. */
  details(merchantId: string): readonly HealthDetail[];
  /** Returns and clears the counts that are not yet shared with other processes. */
  drain(): HealthCounts[];
  /** Receives the counts and states of all processes. */
  readonly registry: HealthRegistry;
}

/** Clock, ids and accounts of this process. */
export interface LocalHealthOptions {
  readonly now: () => Date;
  /** All time when left out. */
  readonly attended?: Pick<AttendedTime, 'now' | 'missedWithin'>;
  readonly newId: () => string;
  account(accountId: string): KnownAccount | undefined;
  accountsOf(merchantId: string): readonly KnownAccount[];
}

/** The health in this process's memory, its own outcomes included before they are stored. */
export function createLocalHealth(options: LocalHealthOptions): LocalHealth {
  const { now, newId, account, accountsOf } = options;
  const clock = () => now().getTime();
  const attended = options.attended ?? { now: clock, missedWithin: () => 0 };
  const ledger = createHealthLedger(now);
  const slots = createProbeSlots(clock);
  const inFlight = createOpeningsInFlight(clock, attended.now);
  const registry = createHealthRegistry({ account, accountsOf, run: ledger.run, newId });
  const thresholds = (accountId: string) => account(accountId)?.thresholds ?? DEFAULT_HEALTH_THRESHOLDS;
  const timeoutMs = (accountId: string, method: string | null) =>
    openingTimeoutMs(registry.usualMs(accountId, method), thresholds(accountId));

  /** Assesses an account with consecutive faults at once instead of with the next tick. */
  function reassessIfFailing({ accountId, method }: Where): void {
    if (ledger.run(accountId, method ?? ANY_METHOD).length >= thresholds(accountId).hardFaults)
      registry.reassess(accountId, method, clock());
  }

  /** Health for the next decision: an account that keeps several openings waiting goes behind those that answer. */
  function forDecision({ health, probeEveryMs }: HealthDetail): AccountHealth {
    const { accountId, state } = health;
    if (state === 'probing') return { ...health, probeSlot: probeEveryMs !== null && slots.isFree(accountId, probeEveryMs) };
    if (state !== 'healthy' || !inFlight.isBusy(accountId)) return health;
    const method = health.method ?? ANY_METHOD;
    const usualMs = registry.usualMs(accountId, health.method);
    const overdue = inFlight.overdue(accountId, method, openingOverdueMs(usualMs, thresholds(accountId)));
    return behindOthers(health, { overdue, failed: ledger.run(accountId, method) }, thresholds(accountId), {
      gateway: account(accountId)?.title ?? '',
      now: clock(),
    });
  }

  return {
    beginOpening(where) {
      const begunAt = clock();
      const ended = inFlight.begin(where);
      return (outcome) => {
        const waited = waitOf(outcome, attended);
        ended(outcome.outcome === 'yes');
        if (!isOwnDelay(outcome, waited)) ledger.observeOpening(where, outcome, waited.gatewayMs);
        slots.release(where.accountId, begunAt);
        reassessIfFailing(where);
      };
    },
    observeLookup(where, outcome) {
      if (!isOwnDelay(outcome, waitOf(outcome, attended))) ledger.observeLookup(where, outcome);
    },
    observeEnd: ledger.observeEnd,
    openingTimeoutMs: timeoutMs,
    claimProbeSlot: (accountId) => slots.claim(accountId, thresholds(accountId).probeEveryMs),
    snapshot: (merchantId) => registry.details(merchantId).map(forDecision),
    details: registry.details,
    drain: ledger.drain,
    registry,
  };
}

/** Parts of a call's time: the wait for the gateway, and the wait for this process, before it was sent or while no one read answers. */
interface Wait {
  readonly gatewayMs: number;
  readonly ownMs: number;
}

function waitOf({ call }: Outcome<unknown>, attended: Pick<AttendedTime, 'missedWithin'>): Wait {
  const ownMs = Math.min(call.latencyMs, attended.missedWithin(call.latencyMs) + (call.unsentMs ?? 0));
  return { gatewayMs: call.latencyMs - ownMs, ownMs };
}

/** A call that ran out of time is the gateway's fault only where it had at least this share of that time to answer in. */
const GATEWAY_SHARE_MIN = 0.9;

/** True for a call that ran out of time while this process waited to send it, or was not there to read its answer. */
function isOwnDelay(outcome: Outcome<unknown>, { gatewayMs, ownMs }: Wait): boolean {
  if (outcome.outcome === 'yes' || ownMs === 0 || gatewayMs >= GATEWAY_SHARE_MIN * outcome.call.latencyMs) return false;
  return outcome.failure.code === 'timeout' || outcome.failure.code === 'connection_refused';
}

/** Limits probe payments of this process per account: one at a time, with a pause between them. */
export interface ProbeSlots {
  isFree(accountId: string, everyMs: number): boolean;
  /** Claims the slot; false when it is not free. */
  claim(accountId: string, everyMs: number): boolean;
  /** Releases the slot once an opening at the account that began at `begunAt` has ended. */
  release(accountId: string, begunAt: number): void;
}

/** A slot whose payment never reached its opening is free again after this. */
const LOST_MS = 30_000;

/** Limits how often an account is given a probe payment. `now` gives epoch milliseconds. */
export function createProbeSlots(now: () => number): ProbeSlots {
  const taken = new Map<string, { readonly at: number; readonly inFlight: boolean }>();

  function isFree(accountId: string, everyMs: number): boolean {
    const last = taken.get(accountId);
    if (last === undefined) return true;
    return now() - last.at >= (last.inFlight ? Math.max(LOST_MS, everyMs) : everyMs);
  }

  return {
    isFree,
    claim(accountId, everyMs) {
      if (!isFree(accountId, everyMs)) return false;
      taken.set(accountId, { at: now(), inFlight: true });
      return true;
    },
    release(accountId, begunAt) {
      const last = taken.get(accountId);
      if (last?.inFlight && begunAt >= last.at) taken.set(accountId, { at: last.at, inFlight: false });
    },
  };
}

/** Openings that this process waits for at an account, and failures there without a success since; times in epoch milliseconds. */
interface Waiting {
  /** When the openings began that go unanswered for longer than usual, oldest first. */
  readonly overdue: readonly number[];
  /** Oldest first. */
  readonly failed: readonly FaultInRow[];
}

/** Few of them keep others waiting only when they span some time. */
const WAITING_MS = 1_000;

/**
 * Health for a decision of an account that keeps openings waiting: behind others, with the openings that got no response as the reason.
 * Unchanged where they are few. It is no state of the account: nothing is stored, and the first opening that succeeds ends it.
 */
function behindOthers(
  health: AccountHealth,
  { overdue, failed: allFailed }: Waiting,
  { minSamples, hardFaults }: Pick<HealthThresholds, 'minSamples' | 'hardFaults'>,
  { gateway, now }: { readonly gateway: string; readonly now: number },
): AccountHealth {
  if (overdue.length === 0) return health;
  const from = Math.max(Date.parse(health.since), now - WINDOW_MS);
  const failed = allFailed.filter(({ at }) => at >= from);
  const count = overdue.length + failed.length;
  if (count < hardFaults) return health;
  const since = Math.min(overdue[0] ?? now, failed[0]?.at ?? now);
  if (count < Math.max(minSamples, hardFaults) && now - since < WAITING_MS) return health;
  const timedOut = overdue.length + failed.filter(({ kind }) => kind === 'timed_out').length;
  const main = timedOut * 2 > count ? ({ kind: 'timed_out', count: timedOut } as const) : null;
  const figures = { faulted: count, samples: count, spanMs: Math.max(1_000, now - since), main, unanswered: true } as const;
  const demoted = { state: 'degraded', since: new Date(now).toISOString(), again: false } as const;
  const why = { code: 'faults', gateway, method: health.method, ...demoted, ...figures } as const;
  return { ...health, state: 'degraded', since: demoted.since, why };
}
