import type { Outcome } from '@switchyard/gateways';
import type { AccountHealth } from '@switchyard/routing';

/** What the gateways' answers say of their health. Reading it never waits. */
export interface HealthMonitor {
  /** Learns from one call. Only the provider's own faults count against it. */
  observe(where: { merchantId: string; accountId: string; method: string | null }, outcome: Outcome<unknown>): void;
  /** Health of a merchant's accounts, as far as anything is known against them. */
  snapshot(merchantId: string): readonly AccountHealth[];
}

/** A monitor that knows nothing against anybody. */
export function createHealthMonitor(_options: { now: () => Date }): HealthMonitor {
  return { observe() {}, snapshot: () => [] };
}
