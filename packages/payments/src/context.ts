import type { Resources } from '@switchyard/merchants';
import type { ConfigurationFaultMonitor, HealthMonitor } from '@switchyard/provider-health';

/** What every payments use case is given. */
export interface PaymentsContext {
  readonly resources: Resources;
  readonly health: HealthMonitor;
  readonly configurationFaults: ConfigurationFaultMonitor;
  readonly now: () => Date;
  readonly newId: () => string;
  /** In [0, 1); spreads what would otherwise happen at once. */
  readonly random: () => number;
  /** Milliseconds one initiate may take over all its attempts. */
  readonly initiateBudgetMs: number;
  /** VerifiedPayment of trouble that no caller waits for. */
  readonly onError: (error: unknown, doing: string) => void;
}
