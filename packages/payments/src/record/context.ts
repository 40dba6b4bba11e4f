import type { ConfigurationFaultMonitor, HealthMonitor } from '@switchyard/provider-health';
import type { RuntimeContext } from '@switchyard/runtime';
import type { LookupPace } from './lookup-pace.ts';
import type { WebhookArrivals } from './webhook-arrivals.ts';

/** The dependencies of every payments use case. */
export interface PaymentsContext
  extends RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'openAccount' | 'ownFaultOf' | 'publicUrl' | 'vault'> {
  readonly health: HealthMonitor;
  readonly configurationFaults: ConfigurationFaultMonitor;
  readonly webhookArrivals: WebhookArrivals;
  /** The pace of scheduled look-ups. */
  readonly lookupPace: LookupPace;
  /** In [0, 1); spreads what would otherwise happen at once. */
  readonly random: () => number;
  /** Milliseconds one initiate may take over all its attempts. */
  readonly initiateBudgetMs: number;
  /** The place in a trace where the process is now, as `traceparent` has it; null where it traces nothing. */
  readonly traceparent: () => string | null;
  /** Reports errors of background work. */
  readonly onError: (error: unknown, doing: string) => void;
  /** Ends its timers; the resources stay open. */
  readonly close: () => void;
}
