import { addHealthCounts, type Resources } from '@switchyard/db';
import type { Outcome } from '@switchyard/gateways';
import type { AccountHealth } from '@switchyard/routing';
import { createHealthLedger, type Where } from './health-ledger.ts';
import { createHealthPicture } from './health-picture.ts';

/**
 * The health of all accounts, in memory. All processes share one picture through the database: each adds what it saw and reads
 * what all saw about once a second. Neither observing nor reading ever waits; while the database is away the last picture serves.
 */
export interface HealthMonitor {
  /**
   * Call when the opening of a checkout begins; call the returned function exactly once with its outcome. Only the provider's own
   * faults count against it.
   */
  beginOpening(where: Where): (outcome: Outcome<unknown>) => void;
  /** Learns from a look-up of a payment or an idle probe. */
  observeLookup(where: Where, outcome: Outcome<unknown>): void;
  /** Learns how a payment ended, for conversion. */
  observeEnd(where: Where, end: 'paid' | 'unpaid'): void;
  /** Milliseconds an opening may take at this account before the next account is tried. */
  openingTimeoutMs(accountId: string, method: string | null): number;
  /** Takes the probe slot that `snapshot` offered; false when it is gone. */
  claimProbeSlot(accountId: string, method: string | null): boolean;
  /** Health of a merchant's accounts, as far as anything is known of them. */
  snapshot(merchantId: string): readonly AccountHealth[];
  /** Shares and reads now, and moves states. Runs by itself about once a second. */
  tick(): Promise<void>;
  close(): void;
}

export interface HealthMonitorOptions {
  readonly resources: Resources;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly onError: (error: unknown) => void;
  /** Milliseconds between ticks; null for a monitor that ticks only when told to. */
  readonly tickMs: number | null;
}

const OPENING_TIMEOUT_MS = 8_000;

export function createHealthMonitor({ resources, now, newId, onError, tickMs }: HealthMonitorOptions): HealthMonitor {
  const processId = newId();
  const ledger = createHealthLedger(now);
  const picture = createHealthPicture(resources, newId);
  let ticking: Promise<void> | undefined;

  async function run(): Promise<void> {
    // Whether lost counts arrived is not known. Losing a second's is better than counting faults twice.
    await addHealthCounts(resources.database, processId, ledger.drain()).catch(onError);
    await picture.refresh(now().getTime());
  }

  function tick(): Promise<void> {
    ticking ??= run().finally(() => {
      ticking = undefined;
    });
    return ticking;
  }

  const timer = tickMs === null ? null : setInterval(() => tick().catch(onError), tickMs).unref();
  return {
    beginOpening: (where) => (outcome) => ledger.observeOpening(where, outcome),
    observeLookup: ledger.observeLookup,
    observeEnd: ledger.observeEnd,
    openingTimeoutMs: () => OPENING_TIMEOUT_MS,
    claimProbeSlot: () => false,
    snapshot: picture.snapshot,
    tick,
    close: () => {
      if (timer !== null) clearInterval(timer);
    },
  };
}
