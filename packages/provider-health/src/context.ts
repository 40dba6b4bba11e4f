import type { RuntimeContext } from '@switchyard/runtime';
import type { ConfigurationFaultMonitor } from './configuration-faults/configuration-fault-monitor.ts';
import type { HealthMonitor } from './monitor/health-monitor.ts';

/** Dependencies of every use case of provider health. */
export interface HealthContext extends RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'openAccount'> {
  readonly health: HealthMonitor;
  readonly configurationFaults: ConfigurationFaultMonitor;
  /** Called with errors of background work that no caller waits for. */
  readonly onError: (error: unknown, doing: string) => void;
}
