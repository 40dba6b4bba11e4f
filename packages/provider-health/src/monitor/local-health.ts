import type { Outcome } from '@switchyard/gateways';
import type { AccountHealth } from '@switchyard/routing';
import type { FaultInRow } from '../assess/evidence.ts';
import { openingOverdueMs, openingTimeoutMs } from '../assess/usual-latency.ts';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import type { AttendedTime } from './attended-time.ts';
import type { KnownAccount } from './gateway-experience.ts';
import { createHealthLedger, type Where } from './health-ledger.ts';
import { createHealthRegistry, type HealthRegistry } from './health-registry.ts';
import { ANY_METHOD, type HealthDetail } from './health-series.ts';
import { createOpeningsInFlight, type OpeningEnd } from './openings-in-flight.ts';
import { createProbeSlots } from './probe-slots.ts';
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
  readonly attended?: Pick<AttendedTime, 'now' | 'missedMs'>;
  readonly newId: () => string;
  account(accountId: string): KnownAccount | undefined;
  accountsOf(merchantId: string): readonly KnownAccount[];
}

/** The health in this process's memory, its own outcomes included before they are stored. */
export function createLocalHealth(options: LocalHealthOptions): LocalHealth {
  const { now, newId, account, accountsOf } = options;
  const clock = () => now().getTime();
  const attended = options.attended ?? { now: clock, missedMs: () => 0 };
  const ledger = createHealthLedger(now);
  const slots = createProbeSlots(clock);
  const inFlight = createOpeningsInFlight(clock, attended.now);
  const registry = createHealthRegistry({
    account,
    accountsOf,
    run,
    takenBackSince: (accountId, method, since) => inFlight.takenBackSince(accountId, method, since, overdueMs(accountId, method)),
    newId,
  });
  const thresholds = (accountId: string) => account(accountId)?.thresholds ?? DEFAULT_HEALTH_THRESHOLDS;
  const overdueMs = (accountId: string, method: string | null) =>
    openingOverdueMs(registry.usualMs(accountId, method), thresholds(accountId));
  const timeoutMs = (accountId: string, method: string | null) =>
    openingTimeoutMs(registry.usualMs(accountId, method), thresholds(accountId));

  /** Consecutive failed openings and overdue ones, oldest first. */
  function run(accountId: string, method: string): readonly FaultInRow[] {
    const overdue = inFlight.overdue(accountId, method, overdueMs(accountId, method));
    const failed = ledger.run(accountId, method);
    return overdue.length === 0 ? failed : [...failed, ...overdue].sort((one, other) => one.at - other.at);
  }

  /** Assesses an account with consecutive faults at once instead of with the next tick. */
  function reassessIfFailing({ accountId, method }: Where): void {
    if (run(accountId, method ?? ANY_METHOD).length >= thresholds(accountId).hardFaults)
      registry.reassess(accountId, method, clock());
  }

  return {
    beginOpening(where) {
      const begunAt = clock();
      const missedBefore = attended.missedMs();
      const ended = inFlight.begin(where);
      return (outcome) => {
        const { accountId, method } = where;
        const waited = waitOf(outcome, attended.missedMs() - missedBefore);
        const lateMs = overdueMs(accountId, method);
        ended(endOf(outcome, waited.gatewayMs, lateMs, timeoutMs(accountId, method)));
        if (!isOwnDelay(outcome, waited, lateMs)) ledger.observeOpening(where, outcome, waited.gatewayMs);
        slots.release(accountId, begunAt);
        reassessIfFailing(where);
      };
    },
    observeLookup(where, outcome) {
      const waited = waitOf(outcome, 0);
      if (!isOwnDelay(outcome, waited, waited.ownMs)) ledger.observeLookup(where, outcome);
    },
    observeEnd: ledger.observeEnd,
    openingTimeoutMs: timeoutMs,
    claimProbeSlot: (accountId) => slots.claim(accountId, thresholds(accountId).probeEveryMs),
    snapshot(merchantId) {
      inFlight.listInFlight(merchantId).forEach(reassessIfFailing);
      return registry.details(merchantId).map(({ health, probeEveryMs }) => {
        if (health.state !== 'probing') return health;
        return { ...health, probeSlot: probeEveryMs !== null && slots.isFree(health.accountId, probeEveryMs) };
      });
    },
    details: registry.details,
    drain: ledger.drain,
    registry,
  };
}

/** How long a call waited for the gateway, and how long for this process: before it was sent, or while nobody read answers. */
interface Wait {
  readonly gatewayMs: number;
  readonly ownMs: number;
}

function waitOf({ call }: Outcome<unknown>, missedMs: number): Wait {
  const ownMs = Math.min(call.latencyMs, missedMs + (call.unsentMs ?? 0));
  return { gatewayMs: call.latencyMs - ownMs, ownMs };
}

/** True for a call that ran out of time, most of which this process took itself: the gateway had less than `enoughMs` to answer. */
function isOwnDelay(outcome: Outcome<unknown>, { gatewayMs, ownMs }: Wait, enoughMs: number): boolean {
  if (outcome.outcome === 'yes' || ownMs === 0 || gatewayMs >= enoughMs) return false;
  return outcome.failure.code === 'timeout' || outcome.failure.code === 'connection_refused';
}

function endOf({ outcome }: Outcome<unknown>, gatewayMs: number, lateMs: number, timeoutMs: number): OpeningEnd {
  if (outcome !== 'yes') return 'failed';
  return gatewayMs >= lateMs && gatewayMs <= timeoutMs ? 'opened_late' : 'opened';
}
