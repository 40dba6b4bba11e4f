import type { Outcome } from '@switchyard/gateways';
import type { AccountHealth } from '@switchyard/routing';
import type { FaultInRow } from '../assess/evidence.ts';
import { openingOverdueMs, openingTimeoutMs } from '../assess/usual-latency.ts';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import type { KnownAccount } from './gateway-experience.ts';
import { createHealthLedger, type Where } from './health-ledger.ts';
import { createHealthRegistry, type HealthRegistry } from './health-registry.ts';
import { ANY_METHOD, type HealthDetail } from './health-series.ts';
import { createOpeningsInFlight } from './openings-in-flight.ts';
import { createProbeSlots } from './probe-slots.ts';
import type { HealthCounts } from './queries.ts';

/** What one process knows of the health of accounts and does by it. Asks nobody and never waits. */
export interface LocalHealth {
  /**
   * Call when the opening of a checkout begins; call the returned function exactly once with its outcome. Only the provider's own
   * faults count against it.
   */
  beginOpening(where: Where): (outcome: Outcome<unknown>) => void;
  /** Learns from a look-up of a payment or an idle probe; these are kept apart from openings. */
  observeLookup(where: Where, outcome: Outcome<unknown>): void;
  /** Learns how a payment ended, for conversion. */
  observeEnd(where: Where, end: 'paid' | 'unpaid'): void;
  /** Milliseconds an opening may take at this account before the next account is tried. */
  openingTimeoutMs(accountId: string, method: string | null): number;
  /** Takes the probe slot that `snapshot` offered; false when it is gone. */
  claimProbeSlot(accountId: string, method: string | null): boolean;
  /** Health of a merchant's accounts, as far as anything is known of them. */
  snapshot(merchantId: string): readonly AccountHealth[];
  /** The same, with what routing does not go by. */
  details(merchantId: string): readonly HealthDetail[];
  /** Takes out what this process saw and has not yet shared with the others. */
  drain(): HealthCounts[];
  /** Takes in what all processes share. */
  readonly registry: HealthRegistry;
}

export interface LocalHealthOptions {
  readonly now: () => Date;
  readonly newId: () => string;
  account(accountId: string): KnownAccount | undefined;
  accountsOf(merchantId: string): readonly KnownAccount[];
}

export function createLocalHealth({ now, newId, account, accountsOf }: LocalHealthOptions): LocalHealth {
  const clock = () => now().getTime();
  const ledger = createHealthLedger(now);
  const slots = createProbeSlots(clock);
  const flight = createOpeningsInFlight(clock);
  const registry = createHealthRegistry({ account, accountsOf, run, newId });
  const thresholds = (accountId: string) => account(accountId)?.thresholds ?? DEFAULT_HEALTH_THRESHOLDS;

  /** Openings that failed in a row, and behind them those that nobody has answered for too long. */
  function run(accountId: string, method: string): readonly FaultInRow[] {
    const overdueMs = openingOverdueMs(registry.usualMs(accountId, method), thresholds(accountId));
    const overdue = flight.overdue(accountId, method, overdueMs);
    const failed = ledger.run(accountId, method);
    return overdue.length === 0 ? failed : [...failed, ...overdue].sort((one, other) => one.at - other.at);
  }

  /** An account that fails in a row is left at once, not with the next judgement of all. */
  function leaveIfFailing({ accountId, method }: Where): void {
    if (run(accountId, method ?? ANY_METHOD).length >= thresholds(accountId).hardFaults)
      registry.judgeAgain(accountId, method, clock());
  }

  return {
    beginOpening(where) {
      const begunAt = clock();
      const ended = flight.begin(where);
      return (outcome) => {
        ended(outcome.outcome === 'yes');
        ledger.observeOpening(where, outcome);
        slots.release(where.accountId, begunAt);
        leaveIfFailing(where);
      };
    },
    observeLookup: ledger.observeLookup,
    observeEnd: ledger.observeEnd,
    openingTimeoutMs: (accountId, method) => openingTimeoutMs(registry.usualMs(accountId, method), thresholds(accountId)),
    claimProbeSlot: (accountId) => slots.claim(accountId, thresholds(accountId).probeEveryMs),
    snapshot(merchantId) {
      flight.underWay(merchantId).forEach(leaveIfFailing);
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
